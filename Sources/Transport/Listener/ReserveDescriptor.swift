import CLinux
import Glibc

/// A descriptor that is kept for the time when no other is free. Without it, a process at its limit could not even
/// accept a client to refuse it.
struct ReserveDescriptor: ~Copyable {
    /// Reserves are duplicates of this one, because a duplicate can replace an open descriptor in one step.
    private static let original = open("/dev/null", O_RDONLY | O_CLOEXEC)

    private var descriptor = Self.make()

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private static func make() -> Int32 { fcntl(original, F_DUPFD_CLOEXEC, 0) }

    /// Accepts a client in place of the reserve; ``end(_:answering:)`` gives the reserve back.
    ///
    /// - Returns: `EAGAIN` if no client waits; the reserve is kept then.
    mutating func take(from listener: Int32) -> Result<Int32, SystemCallError> {
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0 else { return .failure(SystemCallError("accept4", errno: EAGAIN)) }
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        let client = belfry_accept(listener)
        return client >= 0 ? .success(client) : .failure(SystemCallError("accept4", errno: errno))
    }

    /// Closes an accepted client with a last answer. Its descriptor becomes the reserve before anything else can take
    /// it.
    mutating func end(_ client: Int32, answering answer: [UInt8]) {
        Self.say(answer, to: client)
        guard dup2(Self.original, client) == client else {
            Glibc.close(client)
            return restore()
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        descriptor = client
    }

    /// Makes a new reserve, if a descriptor is free.
    mutating func restore() {
        if descriptor < 0 { descriptor = Self.make() }
    }

    /// Closes an accepted socket with a last answer, as far as the socket takes it at once.
    static func close(_ client: Int32, answering answer: [UInt8]) {
        say(answer, to: client)
        Glibc.close(client)
    }

    private static func say(_ answer: [UInt8], to client: Int32) {
        guard !answer.isEmpty else { return }
        // With unread input, the close would be a reset, and the answer could be lost.
        _ = withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { room in
            recv(client, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        }
        _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
