/// When the log is copied to the database because a commit has found no room on the disk.
///
/// That may take a hundred milliseconds in which nothing else is written, so a disk that stays full is not asked at
/// every write.
struct LogRelief {
    private enum State {
        case ready
        /// The log was emptied, and no commit has found room since: it was not what took the room.
        case emptied(ContinuousClock.Instant)
        /// The log could not be emptied: the database could not grow, or somebody reads an older state.
        case failed(ContinuousClock.Instant)
    }

    /// How long not to try again what did not help.
    let pause: Duration
    private var state = State.ready

    init(pause: Duration) { self.pause = pause }

    /// Whether to try now; what has become of that is to be told.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        switch state {
        case .ready: true
        case .emptied(let last), .failed(let last): now >= last + pause
        }
    }

    mutating func tried(isEmptied: Bool, at now: ContinuousClock.Instant) {
        state = isEmptied ? .emptied(now) : .failed(now)
    }

    /// A commit has found room. That tells nothing of a log that could not be emptied: small commits may fit in where
    /// large ones do not.
    mutating func committed() {
        switch state {
        case .emptied: state = .ready
        case .ready, .failed: break
        }
    }
}
