/// What an event asks each of its people, and the buttons that answer it.
package struct Question: Sendable, Hashable {
    /// One possible answer, which clients show as a button.
    package struct Action: Sendable, Hashable {
        /// The publisher's name for it: `approve`.
        package let id: String
        /// The words on the button; nil for those that the catalog has for the notification's type.
        package let label: String?

        package init(id: String, label: String? = nil) { (self.id, self.label) = (id, label) }

        /// What the button shows.
        package var words: String { label ?? id }
    }

    /// A notification on a lock screen has room for this many buttons: APNs shows four at most.
    package static let maximumActions = 4
    package static let maximumIDBytes = 64
    package static let maximumLabelBytes = 200

    /// At least one, in the order in which they are shown.
    package let actions: [Action]
    /// An answer counts before this time; nil if it counts for as long as the notification is there.
    package let answerBy: Timestamp?
    /// The action that counts from `answerBy` on if nobody has answered: `default` in JSON.
    package let fallback: String?

    package init(actions: [Action], answerBy: Timestamp? = nil, fallback: String? = nil) {
        (self.actions, self.answerBy, self.fallback) = (actions, answerBy, fallback)
    }

    package func has(_ action: String) -> Bool { actions.contains { ExactText($0.id) == ExactText(action) } }

    /// Whether an answer comes too late.
    package func isOver(at now: Timestamp) -> Bool { answerBy.map { now >= $0 } ?? false }

    /// The answer that stands where nobody has answered in time.
    package func lateAnswer(at now: Timestamp) -> Answer { Answer(action: fallback, at: now, way: .expiry) }
}
