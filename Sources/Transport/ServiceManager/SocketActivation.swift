import CLinux
import Glibc

/// Sockets that the service manager has opened for this process (sd_listen_fds(3)). They stay open, with their queues
/// of clients, between the end of one process and the start of the next.
package enum SocketActivation {
    /// The first descriptor that the service manager passes; the others follow.
    package static let firstDescriptor: Int32 = 3

    /// Takes over the sockets. Called once, before any other file can get one of these descriptors.
    ///
    /// - Parameters:
    ///   - environment: `LISTEN_PID`, `LISTEN_FDS` and, for their names, `LISTEN_FDNAMES`.
    ///   - process: this process; the variables may be left over from a parent.
    /// - Returns: the sockets in their order; none if they are meant for another process.
    /// - Throws: if one is no listening stream socket of a known family, or the variables contradict each other.
    package static func take(
        environment: [String: String], process: Int32 = getpid(), firstDescriptor: Int32 = firstDescriptor
    ) throws(SystemCallError) -> [InheritedSocket] {
        guard let owner = environment["LISTEN_PID"].flatMap({ Int32($0) }), owner == process,
            let text = environment["LISTEN_FDS"]
        else { return [] }
        guard let count = Int32(text), 0...1_024 ~= count else {
            throw SystemCallError("sd_listen_fds", errno: EINVAL, subject: "LISTEN_FDS=\(text)")
        }
        let names = environment["LISTEN_FDNAMES"].map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        guard names.map({ $0.count == Int(count) }) != false else {
            throw SystemCallError("sd_listen_fds", errno: EINVAL, subject: "LISTEN_FDNAMES")
        }
        var sockets: [InheritedSocket] = []
        for index in 0..<count {
            // systemd's own name for a socket whose unit gives none.
            let name = names.map { String($0[Int(index)]) } ?? "unknown"
            sockets.append(InheritedSocket(name: name, socket: try takeOver(firstDescriptor + index, name)))
        }
        return sockets
    }

    /// Calls `listen` again on a Unix socket, so that `SO_PEERCRED` (unix(7)) tells clients this process, not the
    /// service manager. Its queue then has the length of other listeners' queues, whatever its unit says.
    private static func takeOver(_ descriptor: Int32, _ name: String) throws(SystemCallError) -> ListeningSocket {
        guard try option(SO_TYPE, of: descriptor, name) == Int32(SOCK_STREAM.rawValue),
            try option(SO_ACCEPTCONN, of: descriptor, name) == 1, let address = SocketAddress(localOf: descriptor)
        else { throw SystemCallError("sd_is_socket", errno: EINVAL, subject: "\(name) (descriptor \(descriptor))") }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, case let flags = fcntl(descriptor, F_GETFL),
            fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
        else { throw SystemCallError("fcntl", errno: errno, subject: name) }
        if case .unix = address, listen(descriptor, Listener.queueLength) != 0 {
            throw SystemCallError("listen", errno: errno, subject: name)
        }
        // The service manager keeps its own descriptor of the socket.
        return ListeningSocket(descriptor: descriptor, address: address, ownership: .duplicate)
    }

    private static func option(_ name: Int32, of descriptor: Int32, _ subject: String) throws(SystemCallError) -> Int32
    {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 else {
            throw SystemCallError("getsockopt", errno: errno, subject: "\(subject) (descriptor \(descriptor))")
        }
        return value
    }
}
