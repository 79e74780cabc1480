import CLinux
import Glibc

/// A listening socket on a shard: accepts until nobody waits and hands each socket on.
package final class Listener: PollHandler {
    /// A herd of clients that overflows a shorter queue spends seconds in SYN retries.
    private static let queueLength: Int32 = 4_096
    /// Without free descriptors `accept` fails at once and the socket stays readable: 87,000 calls a second, unless we wait.
    private static let pauseWithoutDescriptors = Duration.milliseconds(100)

    package typealias Accepted = (_ descriptor: Int32, borrowing OnShard) -> Void

    private var id: ConnectionID
    private unowned let shard: Shard
    private let accepted: Accepted
    private let listening: ListeningSocket
    private var isOpen = true

    /// Takes over `socket`. `accepted` owns the descriptors that it gets: nonblocking, close-on-exec.
    package init(_ socket: ListeningSocket, on: borrowing OnShard, accepted: @escaping Accepted) {
        shard = on.shard
        self.accepted = accepted
        listening = socket
        id = ConnectionID(descriptor: socket.descriptor, generation: 0)
        do {
            id = try shard.add(socket.descriptor, handler: self, on)
        } catch {
            // epoll refuses only what is no socket, or without memory: nothing that a listener could go on with.
            isOpen = false
            Glibc.close(socket.descriptor)
        }
    }

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) {
        while isOpen {
            let descriptor = belfry_accept(id.descriptor)
            if descriptor >= 0 {
                if case .tcp = listening.address { Self.disableDelay(descriptor) }
                accepted(descriptor, on)
                continue
            }
            switch errno {
            case EAGAIN: return
            // This client is gone again, or its network is (accept(2), "Error handling"): the next one.
            case ECONNABORTED, EINTR, EPERM, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH:
                continue
            default: return pause(on)
            }
        }
    }

    private func pause(_ on: borrowing OnShard) {
        shard.watch(id, reading: false, writing: false, on)
        shard.schedule(at: on.now + Self.pauseWithoutDescriptors, on) { [weak self] on in
            guard let self, isOpen else { return }
            shard.watch(id, reading: true, writing: false, on)
        }
    }

    /// Stops accepting; a Unix socket's path goes away.
    package func close(_ on: borrowing OnShard) {
        guard isOpen else { return }
        // Who waits to be accepted has a connection already, which closing would reset.
        ready(.readable, on)
        isOpen = false
        if listening.ownsPath, case .unix(let path) = listening.address { unlink(path) }
        shard.close(id, on)
    }

    func shardLeaves(_ on: borrowing OnShard) { close(on) }
    func shardStops(_ on: borrowing OnShard) { close(on) }

    /// Frames are gathered by us; Nagle's delay would only be added to them.
    private static func disableDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Binds and listens, before any shard is involved, so that a taken address is the caller's error.
    ///
    /// - Parameters:
    ///   - sharingPort: lets each shard have a listener of its own on the same port (`SO_REUSEPORT`).
    ///   - mode: a Unix socket's permissions. A stale socket file is replaced; one that answers is not.
    package static func open(
        _ address: SocketAddress, sharingPort: Bool = false, mode: UInt32 = 0o660
    ) throws(SystemCallError) -> ListeningSocket {
        if case .unix(let path) = address { try removeStaleSocket(path) }
        let descriptor = try address.resolve { (family, pointer, length) throws(SystemCallError) in
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(family, kind, 0)
            guard descriptor >= 0 else { throw SystemCallError("socket", errno: errno, subject: address.description) }
            do throws(SystemCallError) {
                try bindAndListen(descriptor, pointer, length, address, sharingPort: sharingPort, mode: mode)
            } catch {
                Glibc.close(descriptor)
                throw error
            }
            return descriptor
        }
        return ListeningSocket(descriptor: descriptor, address: address.withPort(of: descriptor), ownsPath: true)
    }

    private static func bindAndListen(
        _ descriptor: Int32, _ pointer: UnsafePointer<sockaddr>, _ length: socklen_t, _ address: SocketAddress,
        sharingPort: Bool, mode: UInt32
    ) throws(SystemCallError) {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        if case .tcp = address {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
            if sharingPort { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, size) }
        }
        guard bind(descriptor, pointer, length) == 0 else {
            throw SystemCallError("bind", errno: errno, subject: address.description)
        }
        // Before listening, so that nobody connects under other permissions.
        if case .unix(let path) = address, chmod(path, mode) != 0 {
            throw SystemCallError("chmod", errno: errno, subject: path)
        }
        guard listen(descriptor, queueLength) == 0 else {
            throw SystemCallError("listen", errno: errno, subject: address.description)
        }
    }

    private static func removeStaleSocket(_ path: String) throws(SystemCallError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemCallError("bind", errno: EEXIST, subject: path)
        }
        // Nonblocking: where a busy server's queue is full, the answer is that somebody is there.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let probe = socket(AF_UNIX, kind, 0)
        guard probe >= 0 else { throw SystemCallError("socket", errno: errno, subject: path) }
        defer { Glibc.close(probe) }
        let answer = try SocketAddress.unix(path: path).resolve { (_, pointer, length) throws(SystemCallError) in
            connect(probe, pointer, length) == 0 ? 0 : errno
        }
        switch answer {
        case ECONNREFUSED: unlink(path)
        case ENOENT: break
        case 0, EAGAIN: throw SystemCallError("bind", errno: EADDRINUSE, subject: path)
        // Not ours to reach, so not ours to remove.
        default: throw SystemCallError("connect", errno: answer, subject: path)
        }
    }
}

extension SocketAddress {
    fileprivate func withPort(of descriptor: Int32) -> SocketAddress {
        guard case .tcp(let host, 0) = self else { return self }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let port = withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            // The port lies at the same place in both families' addresses.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        return .tcp(host: host, port: port)
    }
}
