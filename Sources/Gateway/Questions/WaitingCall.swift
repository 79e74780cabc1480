import Dispatch
import Inbox
import Store
import Transport
import WireProtocol

/// Carries out what an ``AnswerWait`` says, and answers its call. All of it runs on the queue of ``AnswerWaits``.
final class WaitingCall: Sendable {
    private struct State {
        var machine: AnswerWait
        var waits: Bool
        /// The place among the listeners; nil while it does not listen.
        var listening: UInt64?
        var watched: Set<UserID> = []
        var isTimed = false
    }

    private let query: TrailQuery
    private let node: Node
    private let reply: HTTPReply
    /// Whether the caller may know of the event.
    private let isKnown: @Sendable (TrailedEvent) -> Bool
    private let state: QueueBound<State>

    private var waits: AnswerWaits { node.answerWaits }

    init(
        _ machine: AnswerWait, for query: TrailQuery, node: Node, reply: HTTPReply,
        isKnown: @escaping @Sendable (TrailedEvent) -> Bool
    ) {
        (self.query, self.node, self.reply, self.isKnown) = (query, node, reply, isKnown)
        state = QueueBound(State(machine: machine, waits: false), on: node.answerWaits.queue)
    }

    /// - Parameter seconds: how long to wait; with more than 0 the call has a place among the ``AnswerWaits``.
    func begin(atMost seconds: Int) {
        state.post { [self] state in
            state.waits = seconds > 0
            look()
        }
        guard seconds > 0 else { return }
        state.queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in
            state.withState { state in if let step = state.machine.ended() { take(step, &state) } }
        }
    }

    private func take(_ step: AnswerWait.Step, _ state: inout State) {
        switch step {
        case .look: look()
        case .settle(let people, let question): settle(people, question)
        case .listen(let users): listen(for: Set(users), &state)
        case .rest(let end): rest(until: end, &state)
        case .answer(let answers): finish(.json { answers.write(to: &$0) }, &state)
        }
    }

    private func look() {
        node.store.answers(of: query) { [self] result in
            switch result {
            case .failure(let error): post { [self] in finish(Problem(error).response, &$0) }
            case .success(let answers?) where isKnown(answers.event):
                guard answers.event.question != nil else {
                    return post { [self] in finish(Self.asksNothing.response, &$0) }
                }
                looked(at: answers)
            case .success: post { [self] in finish(Self.unknown.response, &$0) }
            }
        }
    }

    /// People of later pages are not in the trail yet.
    private func looked(at answers: EventAnswers) {
        node.store.broadcast(of: answers.event.id) { [self] result in
            post { [self] state in
                switch result {
                case .failure(let error): finish(Problem(error).response, &state)
                case .success(let broadcast):
                    let isDelivered = broadcast?.state != .working
                    take(state.machine.read(answers, isDelivered: isDelivered, at: node.now()), &state)
                }
            }
        }
    }

    private func settle(_ people: [UnansweredQuestion], _ question: Question) {
        node.store.settle(people, of: question, at: node.now()) { [self] result in
            post { [self] state in
                if case .failure(let error) = result { return finish(Problem(error).response, &state) }
                take(state.machine.settled(), &state)
            }
        }
    }

    private func listen(for users: Set<UserID>, _ state: inout State) {
        state.watched = users
        for user in users { node.store.watch(.inbox(user)) }
        state.listening = waits.listen(for: users) { [self] in
            self.state.withState { state in if let step = state.machine.news() { take(step, &state) } }
        }
        take(state.machine.listening(), &state)
    }

    private func rest(until end: Timestamp?, _ state: inout State) {
        // A later time comes when the caller waits no longer.
        guard let end, !state.isTimed, end < node.now() + AnswersRoute.longestWait else { return }
        state.isTimed = true
        let delay = max(end - node.now(), .zero) + .milliseconds(1)
        self.state.queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds))) { [self] in
            self.state.withState { state in if let step = state.machine.news() { take(step, &state) } }
        }
    }

    private func finish(_ response: HTTPResponse, _ state: inout State) {
        reply.send(response)
        if let number = state.listening { waits.end(number) }
        for user in state.watched { node.store.unwatch(.inbox(user)) }
        if state.waits { waits.leave() }
        (state.listening, state.watched, state.waits) = (nil, [], false)
    }

    private func post(_ body: @escaping @Sendable (inout State) -> Void) { state.post(body) }

    private static let asksNothing = Problem(
        status: 404, code: "asks_nothing", detail: "the event asks nothing: it was published without a question")
    private static let unknown = Problem(
        status: 404, code: "unknown_event",
        detail: "no such event is in the trail, which forgets events after trail.keep")
}
