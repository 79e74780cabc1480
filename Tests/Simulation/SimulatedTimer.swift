import Gateway

/// A lane's timer in simulated time.
final class SimulatedTimer: LaneTimer, Sendable {
    @MainActor
    private final class State {
        let process: SimulatedProcess
        let noticed: () -> Void
        var body: @Sendable () -> Void = {}
        /// The number of the last setting; earlier ones count no more.
        var setting = 0

        init(_ process: SimulatedProcess, _ noticed: @escaping () -> Void) {
            (self.process, self.noticed) = (process, noticed)
        }

        func set(after delay: Duration) {
            setting += 1
            let number = setting
            process.after(Int64(delay / .microseconds(1))) { [self] in
                guard setting == number else { return }
                body()
                noticed()
            }
        }
    }

    private let state: State

    @MainActor
    init(_ process: SimulatedProcess, noticed: @escaping @MainActor () -> Void) { state = State(process, noticed) }

    var now: SuspendingClock.Instant { MainActor.assumeIsolated { state.process.timeline.suspendingInstant } }
    func onCall(_ body: @escaping @Sendable () -> Void) { MainActor.assumeIsolated { state.body = body } }
    func cancel() { MainActor.assumeIsolated { state.setting += 1 } }
    func set(after delay: Duration) { MainActor.assumeIsolated { state.set(after: delay) } }
}
