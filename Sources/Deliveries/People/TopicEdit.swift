package import Inbox
package import Store

/// A change of a topic's members in progress; it may take several commits.
package struct TopicEdit: Sendable {
    package enum Position: Sendable, Hashable {
        /// The next newcomer by index.
        case adding(Int)
        /// The next leaver by index.
        case removing(Int)
        /// Members who are not newcomers leave, from behind this inbox on.
        case removingOthers(after: Int64)
        case ended
    }

    package let topic: String
    package let newcomers: [UserID]
    package let leavers: [UserID]
    /// Identifies the call that replaces all members; nil for any other edit.
    package let replacement: String?
    /// The newcomers as a set, where others are compared with them.
    package let kept: Set<UserID>
    package var position: Position
    package var outcome = TopicOutcome()

    package init(of topic: String, replacingWith users: [UserID], as replacement: String) {
        self.topic = topic
        newcomers = users
        leavers = []
        self.replacement = replacement
        kept = Set(users)
        position = .adding(0)
    }

    package init(of topic: String, adding newcomers: [UserID], removing leavers: [UserID]) {
        self.topic = topic
        self.newcomers = newcomers
        self.leavers = leavers
        replacement = nil
        kept = []
        position = .adding(0)
    }
}
