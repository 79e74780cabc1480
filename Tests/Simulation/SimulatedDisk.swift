import ReferenceStore
import Store

/// Decides when a node's store works: writes take as long as a disk does, and stop when the node dies. A commit stays,
/// even if the node dies before anybody hears of it.
final class SimulatedDisk: StoreExecutor {
    @MainActor
    private final class State {
        let process: SimulatedProcess
        var latency: ClosedRange<Int64> = 100...2_000
        /// The writes that wait, each with the earliest time for its commit.
        var writes: [(due: Int64, work: @Sendable () -> Void)] = []
        var isWriting = false
        /// Whether the write that runs has told what follows from it.
        var isAnnounced = false
        var lastRead: Int64 = 0
        var lastAnnouncement: Int64 = 0
        /// How many commits and reads nobody has heard of.
        var untold = 0
        /// Whether there is room for anything new.
        var isFull = false { didSet { if isFull { hasRefused = true } } }
        /// Whether the server of the database is away.
        var isAway = false { didSet { if isAway { hasRefused = true } } }
        var hasRefused = false
        /// When the transaction was committed whose news are told now.
        var committed: Int64 = 0
        /// Called once, behind the next commit and before its news.
        var atNextNews: (() -> Void)?
        /// Whether writes happen at once, as nothing else goes on before a start.
        var isQuick = false
        /// Asked for each commit, for a planted mistake.
        var isTold: () -> Bool = { true }
        /// Called behind each write, and behind each announcement.
        var noticed: () -> Void = {}

        init(_ process: SimulatedProcess) { self.process = process }

        /// A write comes behind the news of the one before, as engines have it: their callers may move the clock by
        /// which it goes.
        func write(_ work: @escaping @Sendable () -> Void) {
            let timeline = process.timeline
            writes.append((timeline.elapsed + timeline.microseconds(latency), work))
            if writes.count == 1 { writeNext() }
        }

        private func writeNext() {
            guard let next = writes.first else { return }
            process.after(next.due - process.timeline.elapsed) { [self] in
                (isWriting, isAnnounced) = (true, false)
                next.work()
                isWriting = false
                noticed()
                if !isAnnounced { hasWritten() }
            }
        }

        func hasWritten() {
            writes.removeFirst()
            writeNext()
        }
    }

    private let state: State

    @MainActor
    init(_ process: SimulatedProcess, latency: ClosedRange<Int64>) {
        state = State(process)
        state.latency = latency
    }

    /// Tells of what happens to a store, for a trace.
    @MainActor
    func tell(_ text: @autoclosure () -> String) { state.process.timeline.tell(text()) }

    @MainActor var noticed: () -> Void {
        get { state.noticed }
        set { state.noticed = newValue }
    }

    @MainActor var isFull: Bool {
        get { state.isFull }
        set { state.isFull = newValue }
    }

    @MainActor var isAway: Bool {
        get { state.isAway }
        set { state.isAway = newValue }
    }

    @MainActor var isQuick: Bool {
        get { state.isQuick }
        set { state.isQuick = newValue }
    }

    /// Whether it may have refused something.
    @MainActor var hasRefused: Bool { state.hasRefused }

    /// When the transaction was committed whose completion runs, in microseconds of simulated time.
    @MainActor var committed: Int64 { state.committed }

    @MainActor func atNextNews(_ body: @escaping () -> Void) { state.atNextNews = body }

    @MainActor var isTelling: Bool { state.untold > 0 }

    @MainActor var hearsCommit: () -> Bool {
        get { state.isTold }
        set { state.isTold = newValue }
    }

    func write(_ work: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated { state.isQuick ? work() : state.write(work) }
    }
    func read(_ work: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated { schedule(work, \.lastRead, 20...500) }
    }
    func announce(_ work: @escaping @Sendable () -> Void) {
        MainActor.assumeIsolated {
            state.untold += 1
            if let body = state.atNextNews {
                state.atNextNews = nil
                state.process.timeline.after(0, body)
            }
            let committed = state.process.timeline.elapsed
            let isOfWrite = state.isWriting
            if isOfWrite { state.isAnnounced = true }
            schedule(
                { [state] in
                    MainActor.assumeIsolated { (state.untold, state.committed) = (state.untold - 1, committed) }
                    work()
                    if isOfWrite { MainActor.assumeIsolated { state.hasWritten() } }
                }, \.lastAnnouncement, 0...3_000)
        }
    }

    func failure(isRead: Bool) -> StoreError? {
        MainActor.assumeIsolated {
            if state.isAway { return .unreachable("simulated") }
            return state.isFull && !isRead ? .diskFull : nil
        }
    }
    func isTold() -> Bool { MainActor.assumeIsolated { state.isTold() } }

    @MainActor
    private func schedule(
        _ work: @escaping @Sendable () -> Void, _ last: ReferenceWritableKeyPath<State, Int64>,
        _ latency: ClosedRange<Int64>
    ) {
        let (process, timeline) = (state.process, state.process.timeline)
        state[keyPath: last] = max(state[keyPath: last], timeline.elapsed + timeline.microseconds(latency))
        process.after(state[keyPath: last] - timeline.elapsed) { [state] in
            work()
            state.noticed()
        }
    }
}
