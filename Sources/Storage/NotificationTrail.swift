/// What was decided about one notification, event by event.
package struct NotificationTrail: Sendable, Hashable {
    /// Oldest first: the event that made it, and those that a batch took in. None where their time is over.
    package let entries: [PersonalTrail.Entry]
    /// Whether all of its events were found that the trail still has: it looks only so far.
    package let isWhole: Bool

    package init(entries: [PersonalTrail.Entry], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }
}
