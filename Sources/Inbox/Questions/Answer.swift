/// The one answer to a question in one person's notification. It never changes.
package struct Answer: Sendable, Hashable {
    /// How it was given.
    package enum Way: String, Sendable, Hashable, CaseIterable {
        /// By a live session.
        case live
        /// By a person's HTTP call.
        case rest
        /// By a button of a push.
        case push
        /// By a backend, on the person's behalf.
        case publisher
        /// By nobody: the time to answer ended.
        case expiry
    }

    /// The action's id; nil if the time ended without an answer and the question has no default.
    package let action: String?
    package let at: Timestamp
    package let way: Way

    package init(action: String?, at: Timestamp, way: Way) { (self.action, self.at, self.way) = (action, at, way) }
}
