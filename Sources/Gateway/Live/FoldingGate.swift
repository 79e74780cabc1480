/// Keeps a slow reader's queue bounded: frames that do not fit are folded into one `gap`, told once the reader has
/// caught up.
struct FoldingGate {
    /// The changes that were not sent.
    struct Gap: Hashable {
        var from: Int64
        var to: Int64
        var unread: Int64
    }

    private let maximumQueuedBytes: Int
    private(set) var gap: Gap?

    init(maximumQueuedBytes: Int) { self.maximumQueuedBytes = maximumQueuedBytes }

    /// Whether a frame may be queued; if not, it becomes part of the gap.
    ///
    /// While a gap is open no frame overtakes it: it would arrive before the gap's news.
    mutating func admits(seq: Int64, unread: Int64, bytes: Int, queuedBytes: Int) -> Bool {
        guard gap != nil || (queuedBytes + bytes > maximumQueuedBytes && queuedBytes > 0) else { return true }
        fold(seq: seq, unread: unread)
        return false
    }

    /// Leaves a change out, and all that follow until the reader has caught up.
    mutating func fold(seq: Int64, unread: Int64) {
        gap = Gap(from: gap?.from ?? seq, to: seq, unread: unread)
    }

    /// Notes that changes up to `seq` reach the reader another way, so that no gap tells of them.
    mutating func cover(upTo seq: Int64) {
        guard let open = gap, seq >= open.from else { return }
        gap = seq < open.to ? Gap(from: seq + 1, to: open.to, unread: open.unread) : nil
    }

    /// Notes that the reader has taken everything, and returns the gap to tell, if any.
    mutating func drained() -> Gap? {
        defer { gap = nil }
        return gap
    }
}
