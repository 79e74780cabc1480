import ReferenceStore
import Store

/// Decides when a node's store works: writes take as long as a disk does, and stop when the node dies. A commit stays,
/// even if the node dies before anybody hears of it.
final class SimulatedDisk: StoreExecutor {
    @MainActor
    private final class State {
        let timeline: Timeline
        var latency: ClosedRange<Int64> = 100...2_000
        var lastWrite: Int64 = 0
        var lastRead: Int64 = 0
        var lastAnnouncement: Int64 = 0
        /// How many commits and reads nobody has heard of.
        var untold = 0
        /// Whether there is room for anything new.
        var isFull = false { didSet { if isFull { hasBeenFull = true } } }
        var hasBeenFull = false
        /// Called once, behind the next commit and before its news.
        var atNextNews: (() -> Void)?
        var isDead = false
        /// Whether writes happen at once, as nothing else goes on before a start.
        var isQuick = false
        /// Asked for each commit, for a planted mistake.
        var isTold: () -> Bool = { true }
        /// Called behind each write, and behind each announcement.
        var noticed: () -> Void = {}

        init(_ timeline: Timeline) { self.timeline = timeline }
    }

    private let state: State

    @MainActor
    init(_ timeline: Timeline, latency: ClosedRange<Int64>) {
        state = State(timeline)
        state.latency = latency
    }

    @MainActor var noticed: () -> Void {
        get { state.noticed }
        set { state.noticed = newValue }
    }

    @MainActor var isFull: Bool {
        get { state.isFull }
        set { state.isFull = newValue }
    }

    @MainActor var isQuick: Bool {
        get { state.isQuick }
        set { state.isQuick = newValue }
    }

    /// Whether it may have refused something.
    @MainActor var hasBeenFull: Bool { state.hasBeenFull }

    @MainActor func atNextNews(_ body: @escaping () -> Void) { state.atNextNews = body }

    @MainActor var isTelling: Bool { state.untold > 0 }

    @MainActor var hearsCommit: () -> Bool {
        get { state.isTold }
        set { state.isTold = newValue }
    }

    /// Nothing that waits happens any more.
    @MainActor func die() { state.isDead = true }

    func write(_ work: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated { state.isQuick ? work() : schedule(work, \.lastWrite, state.latency) }
    }
    func read(_ work: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated { schedule(work, \.lastRead, 20...500) }
    }
    func announce(_ work: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated {
            state.untold += 1
            if let body = state.atNextNews {
                state.atNextNews = nil
                state.timeline.after(0, body)
            }
            schedule(
                { [state] in
                    MainActor.assumeIsolated { state.untold -= 1 }
                    work()
                }, \.lastAnnouncement, 0...3_000)
        }
    }

    func failure() -> StoreError? { MainActor.assumeIsolated { state.isFull ? .diskFull : nil } }
    func isTold() -> Bool { MainActor.assumeIsolated { state.isTold() } }

    @MainActor
    private func schedule(
        _ work: @escaping @Sendable () -> Void, _ last: ReferenceWritableKeyPath<State, Int64>,
        _ latency: ClosedRange<Int64>
    ) {
        let timeline = state.timeline
        state[keyPath: last] = max(state[keyPath: last], timeline.elapsed + timeline.microseconds(latency))
        timeline.after(state[keyPath: last] - timeline.elapsed) { [state] in
            guard !state.isDead else { return }
            work()
            state.noticed()
        }
    }
}
