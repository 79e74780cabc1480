package import Store

/// Where a node runs: its queue, its time, and its ways to the store that nodes share. I/O is here, and no rule.
package protocol ClusterHost: AnyObject, Sendable {
    // MARK: Time and queue

    var now: ContinuousClock.Instant { get }
    /// Runs `body` on the node's queue, and returns when it has.
    func onQueue<Value>(_ body: () throws -> Value) rethrows -> Value
    /// Has `body` run on the node's queue.
    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void)
    /// Has `body` run on the node's queue again and again, until ``stopTimers()``. Called on the queue.
    func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void)
    func stopTimers()
    /// How long to wait after one more failure in a row. Called on the queue.
    func rest() -> Duration
    /// A failure that operators are to hear of.
    func failed(_ error: any Error)

    // MARK: The store

    /// A new connection. Called on the queue.
    func connect() throws -> sending any NodeRows
    /// Has `body` read on another queue, as of one moment.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any NewsReads) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void)
    /// Reads what operators are told of the store itself; nil if that fails.
    func readFigures(then: @escaping @Sendable (DatabaseFigures?) -> Void)

    // MARK: Messages

    /// How often the node has to look for its mail; nil where messages come by themselves.
    var mailInterval: Duration? { get }
    /// Hears a channel from now on, in the place of any other one. Called on the queue; `heard` is called on any, one
    /// call after the other.
    func listen(to channel: String, _ heard: @escaping @Sendable (Heard) -> Void)
    /// Ends that; no call of `heard` begins behind the completion.
    func stopListening(_ completion: @escaping @Sendable () -> Void)
}

/// What comes over a channel.
package enum Heard: Sendable {
    /// It is heard from now on. Anything may have been told before, and was missed.
    case beginning
    /// What others have posted, in order.
    case messages([String])
}
