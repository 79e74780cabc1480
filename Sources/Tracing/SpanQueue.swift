/// Spans that wait to be sent. It holds a bounded number; further ones are dropped, so that nobody waits for a collector.
package struct SpanQueue: Sendable {
    /// What becomes of a span.
    package enum Outcome: Sendable, Hashable {
        /// It waits. The sender knows of it, or need not know yet.
        case kept
        /// It waits, and the sender has to look.
        case worthALook
        /// There is no room.
        case dropped
    }

    private let capacity: Int
    private let batch: Int
    private var spans: [Span] = []
    /// The first one that waits: a batch is taken without moving those behind it.
    private var first = 0

    /// - Parameters:
    ///   - capacity: how many may wait.
    ///   - batch: how many are sent at once.
    package init(capacity: Int, batch: Int) { (self.capacity, self.batch) = (capacity, batch) }

    package var count: Int { spans.count - first }

    package mutating func add(_ span: Span) -> Outcome {
        guard count < capacity else { return .dropped }
        spans.append(span)
        return count == 1 || count == batch ? .worthALook : .kept
    }

    /// Drops all; returns how many there were.
    package mutating func removeAll() -> Int {
        defer { (spans, first) = ([], 0) }
        return count
    }

    /// Takes the longest waiting ones, a batch at most.
    package mutating func take() -> [Span] {
        let end = min(first + batch, spans.count)
        let taken = Array(spans[first..<end])
        first = end
        // Half empty: moving the rest now costs each span one step.
        if first * 2 >= spans.count {
            spans.removeFirst(first)
            first = 0
        }
        return taken
    }
}
