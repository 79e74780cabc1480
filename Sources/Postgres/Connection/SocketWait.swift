import Glibc

/// Waiting for a socket on the calling thread, never beyond a deadline.
enum SocketWait {
    /// - Parameter events: of poll(2).
    /// - Returns: the events that came, among them errors; nil at the deadline.
    static func wait(
        for descriptor: Int32, _ events: Int32, until deadline: ContinuousClock.Instant
    ) -> Int32? {
        while true {
            let left = deadline - .now
            guard left > .zero else { return nil }
            var socket = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            switch poll(&socket, 1, Int32(clamping: left.milliseconds)) {
            case 0: continue
            case 1...: return Int32(socket.revents)
            // The caller finds out by its next call of libpq.
            default: if errno != EINTR { return events }
            }
        }
    }

    /// Whether there is something to read, or the end of it.
    static func isReadable(_ descriptor: Int32) -> Bool {
        var socket = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&socket, 1, 0) > 0
    }
}
