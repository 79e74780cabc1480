import CLinux
import Glibc

extension Listener {
    /// If many clients overflow a shorter queue, they spend seconds in SYN retries.
    static let queueLength: Int32 = 4_096

    /// Binds and listens before any shard is involved, so that the caller gets the error of a taken address.
    ///
    /// An IPv6 address for all addresses (`[::]`) takes IPv4 clients, too.
    /// - Parameters:
    ///   - sharingPort: lets others listen on the same port, each with its own queue (`SO_REUSEPORT`): the shards of
    ///     this
    ///     process, and a process that follows it.
    ///   - isFirst: makes it an error if another socket listens on the port already. The kernel would let any process
    ///     of
    ///     the same user share it. If two begin within microseconds, both may succeed.
    ///   - mode: a Unix socket's permissions. A stale socket file is replaced, but one that answers is an error.
    ///   - group: a Unix socket's group; nil for the group of this process, or of a folder that passes on its own.
    package static func open(
        _ address: SocketAddress, sharingPort: Bool = false, isFirst: Bool = false, mode: UInt32 = 0o660,
        group: UInt32? = nil
    ) throws(SystemCallError) -> ListeningSocket {
        if case .unix(let path) = address { try removeStaleSocket(path) }
        let descriptor = try address.resolveForListening { (family, pointer, length) throws(SystemCallError) in
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(family, kind, 0)
            guard descriptor >= 0 else { throw SystemCallError("socket", errno: errno, subject: address.description) }
            do throws(SystemCallError) {
                setOptions(descriptor, family)
                if sharingPort, !isFirst { sharePort(descriptor, family) }
                try bind(descriptor, pointer, length, address)
                if case .unix(let path) = address { try setAccess(path, mode: mode, group: group) }
                // Shared only from here on, so that `bind` has checked that no other socket listens.
                if sharingPort, isFirst { sharePort(descriptor, family) }
                guard listen(descriptor, queueLength) == 0 else {
                    throw SystemCallError("listen", errno: errno, subject: address.description)
                }
            } catch {
                Glibc.close(descriptor)
                throw error
            }
            return descriptor
        }
        let ownership: ListeningSocket.Ownership =
            switch address {
            case .unix: .path
            case .tcp: sharingPort ? .sharedPort : .alone
            }
        return ListeningSocket(descriptor: descriptor, address: address.withPort(of: descriptor), ownership: ownership)
    }

    private static func setOptions(_ descriptor: Int32, _ family: Int32) {
        guard family != AF_UNIX else { return }
        set(SOL_SOCKET, SO_REUSEADDR, 1, descriptor)
        // Set in any case, because the system's default may differ.
        if family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0, descriptor) }
    }

    private static func sharePort(_ descriptor: Int32, _ family: Int32) {
        if family != AF_UNIX { set(SOL_SOCKET, SO_REUSEPORT, 1, descriptor) }
    }

    private static func set(_ level: Int32, _ option: Int32, _ value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bind(
        _ descriptor: Int32, _ pointer: UnsafePointer<sockaddr>, _ length: socklen_t, _ address: SocketAddress
    ) throws(SystemCallError) {
        guard Glibc.bind(descriptor, pointer, length) == 0 else {
            throw SystemCallError("bind", errno: errno, subject: address.description)
        }
    }

    /// Sets who may connect. Called before listening: until then the kernel refuses all clients, so none connects under
    /// other permissions.
    private static func setAccess(_ path: String, mode: UInt32, group: UInt32?) throws(SystemCallError) {
        if let group, lchown(path, uid_t.max, group) != 0 {
            throw SystemCallError("chown", errno: errno, subject: path)
        }
        guard chmod(path, mode) == 0 else { throw SystemCallError("chmod", errno: errno, subject: path) }
    }

    private static func removeStaleSocket(_ path: String) throws(SystemCallError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemCallError("bind", errno: EEXIST, subject: path)
        }
        // Nonblocking: if the queue of a busy server is full, the answer shows that a server is there.
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
        // A socket that this process cannot reach must not be removed.
        default: throw SystemCallError("connect", errno: answer, subject: path)
        }
    }
}
