import Gateway

/// A lane's timer in simulated time.
final class SimulatedTimer: LaneTimer, Sendable {
    @MainActor
    private final class State {
        let timeline: Timeline
        let noticed: () -> Void
        var body: @Sendable () -> Void = {}
        /// The number of the last setting; earlier ones count no more.
        var setting = 0

        init(_ timeline: Timeline, _ noticed: @escaping () -> Void) {
            (self.timeline, self.noticed) = (timeline, noticed)
        }

        func set(after delay: Duration) {
            setting += 1
            let number = setting
            timeline.after(Int64(delay / .microseconds(1))) { [self] in
                guard setting == number else { return }
                body()
                noticed()
            }
        }
    }

    private let state: State

    @MainActor
    init(_ timeline: Timeline, noticed: @escaping @MainActor () -> Void) { state = State(timeline, noticed) }

    var now: SuspendingClock.Instant { MainActor.assumeIsolated { state.timeline.suspendingInstant } }
    func onCall(_ body: @escaping @Sendable () -> Void) { MainActor.assumeIsolated { state.body = body } }
    func cancel() { MainActor.assumeIsolated { state.setting += 1 } }
    func set(after delay: Duration) { MainActor.assumeIsolated { state.set(after: delay) } }
}
