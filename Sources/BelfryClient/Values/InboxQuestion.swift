public import Foundation

/// What a notification asks, and the answer.
///
/// A value: it may go to any actor.
public struct InboxQuestion: Sendable, Hashable {
    /// A possible answer, to show as a button.
    public struct Action: Sendable, Hashable, Identifiable {
        /// The name for ``Inbox/answer(_:_:)``, such as `approve`.
        public let id: String
        /// The words on the button, in the person's language.
        public let label: String

        init?(_ value: JSONValue) {
            guard let id = value["id"]?.string else { return nil }
            (self.id, label) = (id, value["label"]?.string ?? id)
        }
    }

    /// The one answer, which never changes.
    public struct Answer: Sendable, Hashable {
        /// The chosen action's id; nil if nobody answered in time and there is no default.
        public let action: String?
        /// When it was given; nil if the server did not tell it.
        public let at: Date?
        /// How it was given: `live`, `rest`, `push`, `publisher`, or `expiry` if nobody answered in time.
        public let way: String
    }

    /// In the order in which they are shown.
    public let actions: [Action]
    /// An answer counts before this time; nil if it counts for as long as the notification is there.
    public let answerBy: Date?
    /// The id of the action that counts from then on if nobody has answered.
    public let fallback: String?
    /// Nil until there is one.
    public let answer: Answer?

    /// Nil for a value without actions.
    init?(_ value: JSONValue) {
        actions = value["actions"]?.array?.compactMap(Action.init) ?? []
        guard !actions.isEmpty else { return nil }
        answerBy = value["answerBy"]?.string.flatMap(Moment.date)
        fallback = value["default"]?.string
        answer = value["answer"].flatMap { answer in
            guard let way = answer["by"]?.string else { return nil }
            return Answer(action: answer["action"]?.string, at: answer["at"]?.string.flatMap(Moment.date), way: way)
        }
    }

    /// Whether somebody may still answer.
    ///
    /// - Parameter now: the time to compare ``answerBy`` with.
    public func isOpen(at now: Date = Date()) -> Bool { answer == nil && !(answerBy.map { now >= $0 } ?? false) }
}
