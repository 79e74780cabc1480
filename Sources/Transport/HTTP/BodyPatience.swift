/// How long a request's body may take: so long in all, and it has to move on in each span of that.
struct BodyPatience {
    private let span: Duration
    private var left: Duration
    /// What had arrived when it was looked at last.
    private var seenBytes = 0

    /// - Parameters:
    ///   - total: from the head to the end of the body.
    ///   - stall: without a byte.
    init(total: Duration, stall: Duration) { (left, span) = (total, stall) }

    /// The time until the next look.
    private mutating func nextSpan() -> Duration {
        let next = min(span, left)
        left -= next
        return next
    }

    /// When to look for the first time.
    mutating func begin() -> Duration { nextSpan() }

    /// - Returns: when to look again; nil if the body has had its time.
    mutating func look(receivedBytes: Int) -> Duration? {
        guard left > .zero, receivedBytes > seenBytes else { return nil }
        seenBytes = receivedBytes
        return nextSpan()
    }
}
