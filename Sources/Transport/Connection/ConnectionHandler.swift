/// What a connection's bytes mean; called on the connection's shard.
package protocol ConnectionHandler: AnyObject {
    /// The bytes lie in the shard's buffer: they may be changed in place, and are gone after the call. Behind them at
    /// least ``Shard/inputPadding`` bytes can be read, though they mean nothing.
    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard)
    /// The peer sends nothing more. Output may still go out; a handler without any closes.
    func peerFinished(_ on: borrowing OnShard)
    /// The deadline set by ``Connection/setDeadline(_:_:)`` has come.
    func deadlineReached(_ on: borrowing OnShard)
    /// The socket takes no more for now, so output waits.
    func outputBlocked(_ on: borrowing OnShard)
    /// Everything that waited has gone out.
    func outputDrained(_ on: borrowing OnShard)
    /// The shard will end soon: finish what has begun, and close.
    func shardLeaves(_ on: borrowing OnShard)
    /// The connection is gone; the last call.
    func closed(_ on: borrowing OnShard)
}

extension ConnectionHandler {
    package func shardLeaves(_ on: borrowing OnShard) {}
}
