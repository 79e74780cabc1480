/// The result of a change of a topic's members.
package struct TopicOutcome: Sendable, Hashable {
    /// How many newcomers were not members before.
    package var added = 0
    package var removed = 0
    /// Whether another call replaced all members meanwhile: this one then stopped where it was.
    package var isOvertaken = false

    package init(added: Int = 0, removed: Int = 0, isOvertaken: Bool = false) {
        self.added = added
        self.removed = removed
        self.isOvertaken = isOvertaken
    }
}
