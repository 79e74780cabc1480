/// What a shard watches: a connection or a listener.
protocol PollHandler: AnyObject {
    func ready(_ readiness: Readiness, _ on: borrowing OnShard)
    /// The shard will end soon: finish what has begun, and close.
    func shardLeaves(_ on: borrowing OnShard)
    /// The shard ends: close at once.
    func shardStops(_ on: borrowing OnShard)
}
