import CLinux
import Glibc

/// Finds the process that listens at a Unix socket.
package enum SocketOwner {
    /// The process that called `listen` there (`SO_PEERCRED` of unix(7)). Connects to find out, and sends nothing.
    /// - Returns: nil if no process listens, or if the kernel has no number for it, as between containers.
    package static func process(at path: String) -> Int32? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        do {
            try SocketAddress.unix(path: path).resolve { (_, address, length) throws(SystemCallError) in
                guard connect(descriptor, address, length) == 0 else { throw SystemCallError("connect", errno: errno) }
            }
        } catch {
            return nil
        }
        let process = belfry_peer_credentials(descriptor).process
        return process > 0 ? process : nil
    }
}
