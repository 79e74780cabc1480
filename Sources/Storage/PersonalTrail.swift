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

    /// Newest first; maybe none, where others' events came thick and fast.
    package let entries: [Entry]
    /// The event before which older ones are to be looked for; nil at the end.
    package let next: String?

    package init(entries: [Entry], next: String?) {
        self.entries = entries
        self.next = next
    }
}
