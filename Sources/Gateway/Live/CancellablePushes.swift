/// Whether an acknowledgement of a session may have a push to cancel.
///
/// Every session acknowledges everything, and most users have no device: those acknowledgements need not reach the
/// store.
struct CancellablePushes {
    /// At first nobody knows what waits from before.
    private(set) var mayExist = true

    /// The session is told of a change, now or later.
    ///
    /// - Parameter mayBePushed: whether the commit may have queued a push of it.
    mutating func committed(mayBePushed: Bool) { if mayBePushed { mayExist = true } }

    /// What was acknowledged could not be written.
    mutating func failed() { mayExist = true }

    /// The client has acknowledged everything up to `seq`.
    ///
    /// - Parameters:
    ///   - told: the newest change that it was told of: what it says beyond that, it cannot know.
    ///   - isBehind: whether more is there than it was told of, which may be pushed, too.
    /// - Returns: up to where the store is to cancel; nil where there is nothing to cancel.
    mutating func acknowledge(upTo seq: Int64, told: Int64, isBehind: Bool) -> Int64? {
        guard mayExist else { return nil }
        if seq >= told, !isBehind { mayExist = false }
        return min(seq, told)
    }
}
