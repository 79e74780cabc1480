/// The decisions about one notification, event by event.
package struct NotificationTrail: Sendable, Hashable {
    /// Oldest first: the event that made it, and those that its batch took in. Old events may be gone.
    package let entries: [PersonalTrail.Entry]
    /// Whether all of its events in the trail were found: the search has a limit.
    package let isWhole: Bool

    package init(entries: [PersonalTrail.Entry], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }
}
