/// Tells a shard which of its descriptors are ready. Two kinds, because measurements split them: one source on the
/// shard's own epoll descriptor (cheap, Linux only) and one Dispatch source a socket (portable).
///
/// Everything but `wake` is for the shard's queue only.
protocol Poller: AnyObject {
    /// Begins to call the shard; nothing is watched before.
    func start(for shard: Shard)
    /// Watches a descriptor for reading. `generation` comes back with each event: descriptor numbers are used again.
    func add(_ descriptor: Int32, generation: UInt32) throws(SystemCallError)
    func watch(_ descriptor: Int32, generation: UInt32, reading: Bool, writing: Bool)
    /// Stops watching and closes the descriptor, in the order that the kind of poller needs.
    func close(_ descriptor: Int32)
    /// When to call the shard's timers next, on the shard's clock; nil for never.
    func setTimer(_ deadline: ContinuousClock.Instant?)
    /// Makes the shard look into its mailbox soon. From any thread: touches nothing that changes.
    func wake(_ shard: Shard)
    func stop(completion: @escaping @Sendable () -> Void)
}

/// What a descriptor is ready for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8
    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// An error or a hang-up: reading or writing will tell which.
    static let ended = Readiness(rawValue: 4)
}

/// Which poller a shard uses.
package enum PollerKind: String, Sendable, CaseIterable {
    /// One Dispatch source on the shard's own epoll descriptor.
    case epoll
    /// One Dispatch source a socket.
    case dispatch
}
