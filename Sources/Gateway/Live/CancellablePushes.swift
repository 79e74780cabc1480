/// Whether an acknowledgement of a session may have a push to cancel.
///
/// Every session acknowledges everything, and most users have no device: the store need not hear of theirs.
struct CancellablePushes {
    /// True at first, as earlier pushes may wait.
    private(set) var mayExist = true

    /// Notes that the session is told of a change, now or later.
    ///
    /// - Parameter mayBePushed: whether the commit may have queued a push of it.
    mutating func committed(mayBePushed: Bool) { if mayBePushed { mayExist = true } }

    /// Notes that an acknowledgement could not be written.
    mutating func failed() { mayExist = true }

    /// Notes that the client has acknowledged everything up to `seq`.
    ///
    /// - Parameters:
    ///   - told: the newest change that the client was told of; it cannot have seen more.
    ///   - isBehind: whether there are changes that it was not told of, which may be pushed, too.
    /// - Returns: up to which `seq` the store is to cancel pushes; nil if there are none.
    mutating func acknowledge(upTo seq: Int64, told: Int64, isBehind: Bool) -> Int64? {
        guard mayExist else { return nil }
        if seq >= told, !isBehind { mayExist = false }
        return min(seq, told)
    }
}
