import Cluster
import Deliveries
import Dispatch
import Inbox
import Postgres
import Store
import Synchronization

/// A node's queue and its ways to the database.
final class PostgresHost: ClusterHost {
    private struct State {
        var timers: [any DispatchSourceTimer] = []
        var pace = ReconnectPace()
    }

    private let address: PostgresAddress
    private let options: PostgresStoreOptions
    private let readers: PostgresPool
    private let notes = PostgresNodeRows.NotePlace()
    private let queue = DispatchQueue(label: "belfry.postgres.node")
    /// Touched on the queue alone. The mutex says so to the compiler.
    private let state = Mutex(State())
    private let listener = Mutex<PostgresNotifications?>(nil)

    init(_ address: PostgresAddress, _ options: PostgresStoreOptions, readers: PostgresPool) {
        (self.address, self.options, self.readers) = (address, options, readers)
    }

    // MARK: Time and queue

    var now: ContinuousClock.Instant { .now }

    func onQueue<Value>(_ body: () throws -> Value) rethrows -> Value { try queue.sync(execute: body) }

    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        if delay == .zero { return queue.async(execute: body) }
        queue.asyncAfter(deadline: .now() + Self.interval(delay), execute: body)
    }

    func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) {
        let span = Self.interval(interval)
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + span, repeating: span, leeway: .milliseconds(1))
            timer.setEventHandler(handler: body)
            timer.activate()
            state.timers.append(timer)
        }
    }

    func stopTimers() {
        state.withLock { state in
            for timer in state.timers { timer.cancel() }
            state.timers = []
        }
    }

    func rest() -> Duration { state.withLock { $0.pace.failed(at: .now, jitter: .random(in: 0..<1)) } }

    func failed(_ error: any Error) { options.onFailure(StoreError(error)) }

    private static func interval(_ duration: Duration) -> DispatchTimeInterval {
        .milliseconds(Int(duration / .milliseconds(1)))
    }

    // MARK: The database

    func connect() throws -> sending any NodeRows {
        let rows = try PostgresNodeRows(address, options, notes)
        state.withLock { $0.pace.connected(at: .now) }
        return rows
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any NewsReads) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        readers.read(
            { [options] connection in
                try connection.transaction(.snapshot) {
                    let rows = PostgresRows(
                        connection, changeLogLength: options.rules.changeLogLength,
                        maximumDevices: options.maximumDevices,
                        node: 0)
                    return try body(PostgresNewsReads(rows: rows))
                }
            }, then: then)
    }

    func readFigures(then: @escaping @Sendable (DatabaseFigures?) -> Void) {
        readers.read {
            try DatabaseFigures(on: $0)
        } then: {
            then(try? $0.get())
        }
    }

    // MARK: Messages

    var mailInterval: Duration? {
        if case .poll(let interval) = options.wakeUps { interval } else { nil }
    }

    func listen(to channel: String, _ heard: @escaping @Sendable (Heard) -> Void) {
        guard case .listen(let other) = options.wakeUps else { return }
        let notifications = PostgresNotifications(other ?? address, options.connection, channels: [channel]) { event in
            switch event {
            case .listening: heard(.beginning)
            case .received(let all): heard(.messages(all.map(\.payload)))
            case .lost: break
            }
        }
        let earlier = listener.withLock { exchange(&$0, with: notifications) }
        earlier?.stop()
        notifications.start()
    }

    func stopListening(_ completion: @escaping @Sendable () -> Void) {
        if let listener = listener.withLock({ $0.take() }) { listener.stop(completion) } else { completion() }
    }
}
