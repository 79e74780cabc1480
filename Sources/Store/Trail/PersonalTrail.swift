/// The latest decisions about one person.
package struct PersonalTrail: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package let event: TrailedEvent
        package let decisions: [TrailedRecipient]

        package init(event: TrailedEvent, decisions: [TrailedRecipient]) {
            self.event = event
            self.decisions = decisions
        }
    }

    /// Newest first; empty if other people's events filled the searched part.
    package let entries: [Entry]
    /// The event before which to continue; nil at the end.
    package let next: String?

    package init(entries: [Entry], next: String?) {
        self.entries = entries
        self.next = next
    }
}
