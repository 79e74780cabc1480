import Inbox
import Store

/// One call that reads the answers to an event's question, and may wait for them. Pure.
///
/// It looks, settles a question whose time has ended, and rests until there is news. It begins to listen for news before
/// its last look, so that no answer falls between the two.
struct AnswerWait {
    /// What the caller waits for.
    enum Goal: String, CaseIterable {
        /// The answer of everybody who was asked.
        case all
        /// One answer, whoever gives it.
        case first
    }

    enum Step: Equatable {
        /// Reads the answers, and comes back with ``read(_:isDelivered:at:)``.
        case look
        /// Ends the time to answer for these people, and comes back with ``settled()``.
        case settle([UnansweredQuestion], Question)
        /// Listens for changes of these people's inboxes, and comes back with ``listening()``.
        case listen([UserID])
        /// Nothing until there is news, or until this time: the question's.
        case rest(until: Timestamp?)
        case answer(EventAnswers)
    }

    private enum State {
        case looking(hasNews: Bool)
        case settling
        case resting
        case over
    }

    private let goal: Goal
    /// Whether the caller waits no longer.
    private var isLate: Bool
    private var isListening = false
    private var hasSettled = false
    private var state = State.looking(hasNews: false)

    /// - Parameter waits: whether to wait for the goal; otherwise the first look is the answer.
    init(goal: Goal, waits: Bool) { (self.goal, isLate) = (goal, !waits) }

    /// - Parameter isDelivered: whether all pages of the event were delivered.
    mutating func read(_ answers: EventAnswers, isDelivered: Bool, at now: Timestamp) -> Step {
        guard case .looking(let hasNews) = state else { return .rest(until: nil) }
        if let question = answers.event.question, question.isOver(at: now), !answers.unanswered.isEmpty, !hasSettled {
            (hasSettled, state) = (true, .settling)
            return .settle(answers.unanswered, question)
        }
        if isLate || isReached(answers, isDelivered) {
            state = .over
            return .answer(answers)
        }
        guard isListening else {
            state = .looking(hasNews: true)
            return .listen(answers.unanswered.map(\.user))
        }
        if hasNews {
            state = .looking(hasNews: false)
            return .look
        }
        state = .resting
        return .rest(until: answers.event.question?.answerBy)
    }

    mutating func listening() -> Step {
        isListening = true
        state = .looking(hasNews: false)
        return .look
    }

    mutating func settled() -> Step {
        state = .looking(hasNews: false)
        return .look
    }

    /// An inbox has changed, or the time of the question has come. Nil if a look is under way.
    mutating func news() -> Step? {
        switch state {
        case .resting:
            state = .looking(hasNews: false)
            return .look
        case .looking:
            state = .looking(hasNews: true)
            return nil
        case .settling, .over: return nil
        }
    }

    /// The caller waits no longer. Nil if a look is under way, which gives the answer.
    mutating func ended() -> Step? {
        isLate = true
        guard case .resting = state else { return nil }
        state = .looking(hasNews: false)
        return .look
    }

    private func isReached(_ answers: EventAnswers, _ isDelivered: Bool) -> Bool {
        if goal == .first, answers.hasAnswer { return true }
        return isDelivered && answers.unanswered.isEmpty
    }
}
