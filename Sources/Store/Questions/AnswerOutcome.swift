package import Inbox

/// What became of a ``GivenAnswer``.
package enum AnswerOutcome: Sendable, Hashable {
    /// The question's answer is this one now: the one that was given.
    case stored(Answer)
    /// This answer stood already, or the time to answer had ended.
    case earlier(Answer)
    /// The question has no such action; the ids of those it has.
    case unknownAction([String])
    case asksNothing
    /// The person has no such notification, or no longer.
    case unknownNotification
}
