import Cluster
import Inbox
import ReferenceStore
import Store

/// A node's queue and its ways to a simulated database.
final class SimulatedHost: ClusterHost {
    @MainActor
    private final class State {
        let process: SimulatedProcess
        let bus: SimulatedBus
        let disk: SimulatedDisk
        /// Called behind everything that the node does here.
        var noticed: () -> Void = {}
        /// Whether looks for missed news find any: false for a planted mistake.
        let looks: Bool
        var areTimersOn = true

        init(_ process: SimulatedProcess, _ bus: SimulatedBus, _ disk: SimulatedDisk, looks: Bool) {
            (self.process, self.bus, self.disk, self.looks) = (process, bus, disk, looks)
        }

        func run(after delay: Int64, _ body: @escaping @Sendable () -> Void) {
            process.after(delay) { [self] in
                body()
                noticed()
            }
        }

        func every(_ interval: Int64, _ body: @escaping @Sendable () -> Void) {
            process.after(interval) { [self] in
                guard areTimersOn else { return }
                body()
                noticed()
                every(interval, body)
            }
        }
    }

    private let state: State
    private let database: MemoryDatabase
    private let notes = MemoryNodeRows.NotePlace()
    let mailInterval: Duration?

    /// - Parameter mailInterval: nil for a node that listens.
    @MainActor
    init(
        _ process: SimulatedProcess, _ database: MemoryDatabase, _ bus: SimulatedBus, _ disk: SimulatedDisk,
        mailInterval: Duration?, looks: Bool
    ) {
        state = State(process, bus, disk, looks: looks)
        (self.database, self.mailInterval) = (database, mailInterval)
    }

    @MainActor var noticed: () -> Void {
        get { state.noticed }
        set { state.noticed = newValue }
    }

    // MARK: Time and queue

    var now: ContinuousClock.Instant { MainActor.assumeIsolated { state.process.timeline.instant } }
    func onQueue<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated {
            state.run(
                after: Int64(delay / .microseconds(1)) + state.process.timeline.microseconds(0...500), body)
        }
    }

    func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated { state.every(Int64(interval / .microseconds(1)), body) }
    }

    func stopTimers() { MainActor.assumeIsolated { state.areTimersOn = false } }
    func rest() -> Duration {
        .microseconds(MainActor.assumeIsolated { state.process.timeline.microseconds(100_000...500_000) })
    }
    func failed(_ error: any Error) {}

    // MARK: The database

    func connect() throws -> sending any NodeRows {
        let check: @Sendable () throws -> Void = { [state] in
            if MainActor.assumeIsolated({ state.disk.isAway }) { throw StoreError.unreachable("simulated") }
        }
        try check()
        let send: @Sendable (String, String) -> Void = { [state] channel, text in
            MainActor.assumeIsolated { state.bus.send(text, to: channel) }
        }
        return MemoryNodeRows(database, notes, send: mailInterval == nil ? send : nil, check: check)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any NewsReads) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        MainActor.assumeIsolated {
            state.run(after: state.process.timeline.microseconds(20...500)) { [state, database] in
                let isOut = MainActor.assumeIsolated { state.disk.isAway || !state.looks }
                then(
                    Result {
                        if isOut { throw StoreError.unreachable("simulated") }
                        return try database.readNews(body)
                    })
            }
        }
    }

    func readFigures(then: @escaping @Sendable (DatabaseFigures?) -> Void) { then(nil) }

    // MARK: Messages

    func listen(to channel: String, _ heard: @escaping @Sendable (Heard) -> Void) {
        MainActor.assumeIsolated {
            state.bus.listen(state.process, to: channel) { [state] in
                heard($0)
                MainActor.assumeIsolated { state.noticed() }
            }
        }
    }

    func stopListening(_ completion: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated { state.bus.stop(state.process) }
        completion()
    }
}
