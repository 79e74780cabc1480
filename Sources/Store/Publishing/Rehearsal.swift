package import Inbox

/// The result that an event would have.
package struct Rehearsal: Sendable {
    package struct Recipient: Sendable {
        package let user: UserID?
        package let decision: TrailDecision
        package let type: String?
        package let isLive: Bool
        /// The content for this person; nil if there would be none.
        package let content: Content?

        package init(user: UserID?, decision: TrailDecision, type: String?, isLive: Bool, content: Content?) {
            self.user = user
            self.decision = decision
            self.type = type
            self.isLive = isLive
            self.content = content
        }
    }

    /// The final answer to publishing it, except for the event's id.
    package var outcome: PublishOutcome
    /// Includes people who would get nothing.
    package var people: Int
    /// The first recipients.
    package var recipients: [Recipient]
    /// Whether it was tried on all people; if not, the counts are those of the people it was tried on.
    package var isWhole = true

    package init(outcome: PublishOutcome, people: Int, recipients: [Recipient]) {
        self.outcome = outcome
        self.people = people
        self.recipients = recipients
    }
}
