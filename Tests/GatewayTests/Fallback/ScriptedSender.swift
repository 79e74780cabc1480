import Gateway
import Inbox
import Push
import Synchronization

/// A push service whose verdicts a test gives.
final class ScriptedSender: PushSender {
    struct Call: Sendable {
        let job: PushJob
        let time: Timestamp
        let answer: @Sendable (Verdict) -> Void
    }

    /// What is sent, call by call; ends when nobody holds the sender any more.
    let calls: AsyncStream<Call>
    private let report: AsyncStream<Call>.Continuation
    /// Nil: the test answers each call.
    private let verdict: Verdict?

    init(always verdict: Verdict? = nil) {
        (calls, report) = AsyncStream.makeStream()
        self.verdict = verdict
    }

    deinit { report.finish() }

    func send(_ job: PushJob, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void) {
        report.yield(Call(job: job, time: now, answer: completion))
        if let verdict { completion(verdict) }
    }
}

/// A wall clock that runs as ever and jumps ahead when a test says so.
final class JumpingClock: Sendable {
    private struct State {
        var offset = Duration.zero
        var jumpAfterNextLook = Duration.zero
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    var now: Timestamp {
        state.withLock { state in
            defer {
                state.offset += state.jumpAfterNextLook
                state.jumpAfterNextLook = .zero
            }
            return .noon + (ContinuousClock.now - start) + state.offset
        }
    }

    func jump(_ span: Duration) { state.withLock { $0.offset += span } }

    func jumpAfterNextLook(_ span: Duration) { state.withLock { $0.jumpAfterNextLook = span } }
}
