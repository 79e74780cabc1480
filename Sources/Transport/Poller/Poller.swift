/// Tells a shard which of its descriptors are ready. There are two kinds, because measurements differ: one source on
/// the shard's own epoll descriptor (cheap, Linux only) and one Dispatch source a socket (portable). A simulation brings
/// a third, which it drives itself.
///
/// All methods except `wake` run on the shard's queue.
package protocol Poller: AnyObject {
    /// Begins to call the shard; watches nothing before.
    func start(for shard: Shard)
    /// Watches a descriptor. Each event carries `generation`, because descriptor numbers are used again.
    func add(_ descriptor: Int32, generation: UInt32, for interest: Interest) throws(SystemCallError)
    /// Changes the events that a descriptor is watched for. Without any, not even a hang-up is reported. Events that
    /// are pending already are reported, too.
    ///
    /// - Parameter isDrained: whether the descriptor was just read until it would block.
    func watch(
        _ descriptor: Int32, generation: UInt32, for interest: Interest, insteadOf previous: Interest, isDrained: Bool)
    /// Stops watching and closes the descriptor, in the order that this kind of poller needs.
    func close(_ descriptor: Int32)
    /// Sets the time for the next call of the shard's timers, on the shard's clock; nil for never.
    func setTimer(_ deadline: ContinuousClock.Instant?)
    /// Gives the shard one more turn about a millisecond later, unless one begins before.
    func hurry()
    /// Makes the shard read its mailbox soon. From any thread: uses only state that never changes.
    func wake(_ shard: Shard)
    func stop(completion: @escaping @Sendable () -> Void)
}
