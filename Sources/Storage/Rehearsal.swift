package import Inbox

/// What an event would have done.
package struct Rehearsal: Sendable {
    package struct Recipient: Sendable {
        package let user: UserID?
        package let decision: TrailDecision
        package let type: String?
        package let isLive: Bool
        /// As the person would see it; nil for somebody who would get none.
        package let content: Content?

        package init(user: UserID?, decision: TrailDecision, type: String?, isLive: Bool, content: Content?) {
            self.user = user
            self.decision = decision
            self.type = type
            self.isLive = isLive
            self.content = content
        }
    }

    /// The answer that publishing it would get in the end, but for the event's id.
    package var outcome: PublishOutcome
    /// Those who would get nothing included.
    package var people: Int
    /// The first ones.
    package let recipients: [Recipient]
    /// Whether it was tried on all of them; else the counts are those of as many as it was tried on.
    package var isWhole = true

    package init(outcome: PublishOutcome, people: Int, recipients: [Recipient]) {
        self.outcome = outcome
        self.people = people
        self.recipients = recipients
    }
}
