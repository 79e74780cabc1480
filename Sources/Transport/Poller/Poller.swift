/// Tells a shard which of its descriptors are ready. Two kinds, because measurements split them: one source on the
/// shard's own epoll descriptor (cheap, Linux only) and one Dispatch source a socket (portable).
///
/// Everything but `wake` is for the shard's queue only.
protocol Poller: AnyObject {
    /// Begins to call the shard; nothing is watched before.
    func start(for shard: Shard)
    /// Watches a descriptor. `generation` comes back with each event: descriptor numbers are used again.
    func add(_ descriptor: Int32, generation: UInt32, for interest: Interest) throws(SystemCallError)
    /// Watches a descriptor for something else, or for nothing: then not even a hang-up is told. What it is ready for
    /// already is told, too.
    ///
    /// - Parameter isDrained: it was just read until it would block.
    func watch(
        _ descriptor: Int32, generation: UInt32, for interest: Interest, insteadOf previous: Interest, isDrained: Bool)
    /// Stops watching and closes the descriptor, in the order that the kind of poller needs.
    func close(_ descriptor: Int32)
    /// When to call the shard's timers next, on the shard's clock; nil for never.
    func setTimer(_ deadline: ContinuousClock.Instant?)
    /// Has the shard take one more turn about a millisecond later, if none begins before.
    func hurry()
    /// Makes the shard look into its mailbox soon. From any thread: touches nothing that changes.
    func wake(_ shard: Shard)
    func stop(completion: @escaping @Sendable () -> Void)
}
