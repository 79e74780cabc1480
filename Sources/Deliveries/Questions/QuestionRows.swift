package import Inbox

/// Questions whose time ends, of people who have not answered. A question without a time has no row.
package protocol QuestionRows: AnyObject {
    func insert(_ questions: [OpenQuestion]) throws
    /// Removes the questions of these notifications, and returns those that were there. Of two transactions that take
    /// one question, one gets it.
    func take(_ ids: [NotificationID]) throws -> [OpenQuestion]
    /// Those whose time is over, the longest first.
    func due(_ limit: Int, at now: Timestamp) throws -> [NotificationID]
    /// When the next question's time is over, of those whose time is not; nil without any.
    func nextDue(after now: Timestamp) throws -> Timestamp?
    /// Removes all of a person.
    func remove(inbox: Int64) throws
}

/// A question that a person may answer until a time.
package struct OpenQuestion: Sendable, Hashable {
    package let id: NotificationID
    /// The event that asked.
    package let event: String
    package let answerBy: Timestamp
    /// The action that counts from then on; nil without one.
    package let fallback: String?

    package init(id: NotificationID, event: String, answerBy: Timestamp, fallback: String?) {
        (self.id, self.event, self.answerBy, self.fallback) = (id, event, answerBy, fallback)
    }
}
