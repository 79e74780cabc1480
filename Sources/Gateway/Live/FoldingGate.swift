/// Keeps a slow reader's queue bounded: what does not fit is folded into one `gap`, told once the reader has caught up.
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

    /// Whether a frame may be queued; if not, it is part of the gap from now on.
    ///
    /// While a gap is open nothing overtakes it: frames behind it would arrive before its news.
    mutating func admits(seq: Int64, unread: Int64, bytes: Int, queuedBytes: Int) -> Bool {
        guard gap != nil || (queuedBytes + bytes > maximumQueuedBytes && queuedBytes > 0) else { return true }
        fold(seq: seq, unread: unread)
        return false
    }

    /// Leaves a change out, and with it all that follow until the reader has caught up.
    mutating func fold(seq: Int64, unread: Int64) {
        gap = Gap(from: gap?.from ?? seq, to: seq, unread: unread)
    }

    /// Everything up to `seq` reaches the reader another way: no gap need tell of it.
    mutating func cover(upTo seq: Int64) {
        guard let open = gap, seq >= open.from else { return }
        gap = seq < open.to ? Gap(from: seq + 1, to: open.to, unread: open.unread) : nil
    }

    /// The reader has taken everything: the gap that it must be told of now, if any.
    mutating func drained() -> Gap? {
        defer { gap = nil }
        return gap
    }
}
