/// Decides when to empty the log because a commit has found no room on the disk.
///
/// Emptying may take a hundred milliseconds in which no commit is written, so it is not tried at every write while the
/// disk stays full.
struct LogRelief {
    private enum State {
        case ready
        /// The log was emptied, and no commit has found room since: the log did not fill the disk.
        case emptied(ContinuousClock.Instant)
        /// The log could not be emptied: the database could not grow, or a reader uses an older state.
        case failed(ContinuousClock.Instant)
    }

    /// How long to wait before trying again.
    let pause: Duration
    private var state = State.ready

    init(pause: Duration) { self.pause = pause }

    /// Whether to try now; the caller reports the result.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        switch state {
        case .ready: true
        case .emptied(let last), .failed(let last): now >= last + pause
        }
    }

    mutating func tried(isEmptied: Bool, at now: ContinuousClock.Instant) {
        state = isEmptied ? .emptied(now) : .failed(now)
    }

    /// A commit has found room. After a failed attempt that proves nothing: small commits may fit where large ones
    /// fail.
    mutating func committed() {
        switch state {
        case .emptied: state = .ready
        case .ready, .failed: break
        }
    }
}
