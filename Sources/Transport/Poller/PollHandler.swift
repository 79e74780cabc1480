/// An object that a shard watches: a connection or a listener.
protocol PollHandler: AnyObject {
    func ready(_ readiness: Readiness, _ on: borrowing OnShard)
    /// The shard will end soon: the handler finishes its work, and closes.
    func shardLeaves(_ on: borrowing OnShard)
    /// The shard ends: the handler closes at once.
    func shardStops(_ on: borrowing OnShard)
}
