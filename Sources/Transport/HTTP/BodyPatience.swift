/// The time limits of a request's body: one for the whole body, and one for the time without progress.
struct BodyPatience {
    private let span: Duration
    private var left: Duration
    /// The bytes that had arrived at the last look.
    private var seenBytes = 0

    /// - Parameters:
    ///   - total: from the head to the end of the body.
    ///   - stall: the longest time without a byte.
    init(total: Duration, stall: Duration) { (left, span) = (total, stall) }

    /// The time until the next look.
    private mutating func nextSpan() -> Duration {
        let next = min(span, left)
        left -= next
        return next
    }

    /// - Returns: the time until the first look.
    mutating func begin() -> Duration { nextSpan() }

    /// - Returns: the time until the next look; nil if the body's time is over.
    mutating func look(receivedBytes: Int) -> Duration? {
        guard left > .zero, receivedBytes > seenBytes else { return nil }
        seenBytes = receivedBytes
        return nextSpan()
    }
}
