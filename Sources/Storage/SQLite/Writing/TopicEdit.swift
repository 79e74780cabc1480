import Inbox

/// A change of a topic's members on its way, which may take several commits.
struct TopicEdit: Sendable {
    enum Position: Sendable, Hashable {
        /// From this place of the newcomers on.
        case adding(Int)
        /// From this place of the leavers on.
        case removing(Int)
        /// Whoever is no newcomer goes, after this inbox.
        case removingOthers(after: Int64)
        case ended
    }

    let topic: String
    let newcomers: [UserID]
    let leavers: [UserID]
    /// Names the call that replaces all members; nil for one that does not.
    let replacement: String?
    /// The newcomers again, where others are compared with them.
    let kept: Set<UserID>
    var position: Position
    var outcome = TopicOutcome()

    init(of topic: String, replacingWith users: [UserID], as replacement: String) {
        self.topic = topic
        newcomers = users
        leavers = []
        self.replacement = replacement
        kept = Set(users)
        position = .adding(0)
    }

    init(of topic: String, adding newcomers: [UserID], removing leavers: [UserID]) {
        self.topic = topic
        self.newcomers = newcomers
        self.leavers = leavers
        replacement = nil
        kept = []
        position = .adding(0)
    }
}
