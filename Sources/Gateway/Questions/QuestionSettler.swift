import Dispatch
import Inbox
import Store
import Transport

/// Ends the time of questions, as ``QuestionTimes`` decides, on a queue of its own. The store reports its failures itself.
final class QuestionSettler: Sendable {
    private struct State {
        var times: QuestionTimes
        var wakesAt: Timestamp?
    }

    private let store: any Store
    private let now: @Sendable () -> Timestamp
    private let state: QueueBound<State>

    /// - Parameter now: the wall clock, as a question's time is the wall clock's.
    init(store: any Store, now: @escaping @Sendable () -> Timestamp) {
        (self.store, self.now) = (store, now)
        state = QueueBound(
            State(times: QuestionTimes(at: now())), on: DispatchQueue(label: "belfry.questions", qos: .utility))
    }

    /// To be called once, when the store hears of commits: questions may have ended before the start.
    func start() { state.post { [self] in proceed(&$0) } }

    /// Hears of each commit of this process. From any thread.
    func committed(_ commit: Commit) {
        guard let due = commit.nextQuestionDue else { return }
        state.post { [self] state in
            state.times.expect(due)
            proceed(&state)
        }
    }

    /// To be called each second while this node is on duty. From any thread.
    func onDuty() {
        state.post { [self] state in
            state.times.onDuty(at: now())
            proceed(&state)
        }
    }

    func stop() { state.post { $0.times.close() } }

    private func proceed(_ state: inout State) {
        switch state.times.next(at: now()) {
        case .rest: break
        case .wait(let time): wake(at: time, &state)
        case .settle:
            store.settleQuestions(at: now()) { [self] result in
                self.state.post { [self] state in
                    state.times.settled(result, at: now())
                    proceed(&state)
                }
            }
        }
    }

    private func wake(at time: Timestamp, _ state: inout State) {
        if let known = state.wakesAt, known <= time { return }
        state.wakesAt = time
        let delay = max(0, Int((time - now()).milliseconds)) + 1
        self.state.queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            guard let self else { return }
            self.state.withState { state in
                guard state.wakesAt == time else { return }
                state.wakesAt = nil
                proceed(&state)
            }
        }
    }
}
