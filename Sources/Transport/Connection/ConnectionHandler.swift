/// Gives a connection's bytes their meaning; called on the connection's shard.
package protocol ConnectionHandler: AnyObject {
    /// Takes received bytes. They lie in the shard's buffer: the handler may change them in place, and they are gone
    /// after the call. At least ``Shard/inputPadding`` meaningless bytes behind them can be read.
    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard)
    /// The peer sends nothing more. Output may still be sent; a handler without any closes.
    func peerFinished(_ on: borrowing OnShard)
    /// The deadline set by ``Connection/setDeadline(_:_:)`` has come.
    func deadlineReached(_ on: borrowing OnShard)
    /// The socket takes no more for now, so output waits.
    func outputBlocked(_ on: borrowing OnShard)
    /// All waiting output was sent.
    func outputDrained(_ on: borrowing OnShard)
    /// The shard will end soon: the handler finishes its work, and closes.
    func shardLeaves(_ on: borrowing OnShard)
    /// The connection is closed; this is the last call.
    func closed(_ on: borrowing OnShard)
}

extension ConnectionHandler {
    package func shardLeaves(_ on: borrowing OnShard) {}
}
