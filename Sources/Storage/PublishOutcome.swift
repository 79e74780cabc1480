/// What one event did.
package struct PublishOutcome: Sendable, Hashable {
    package var event: String
    /// Recipients who got a new row or a grown one.
    package var recipients: Int
    package var created: Int
    package var updated: Int
    package var suppressed: Int
    /// The key was seen within a day: this is the first answer again, and nothing changed.
    package var isReplay: Bool

    package init(event: String, recipients: Int, created: Int, updated: Int, suppressed: Int, isReplay: Bool) {
        self.event = event
        self.recipients = recipients
        self.created = created
        self.updated = updated
        self.suppressed = suppressed
        self.isReplay = isReplay
    }
}
