/// What one of several nodes knows of its database and of its own part, for its operator. Counts are since the start.
package struct NodeFigures: Sendable, Hashable {
    /// Why a transaction was tried again.
    package enum RetryReason: String, Sendable, CaseIterable {
        case serialization, deadlock
        /// The connection had ended before the commit.
        case connection
    }

    /// Whether this node does the work that one node does for all.
    package var isCaretaker = false
    /// How many nodes live; nil while the database does not answer.
    package var nodes: Int?
    /// Subjects with news that no other node's message has told of.
    package var lostWakeUps = 0
    /// From this node's message to itself to its hearing.
    package var listenerLag = DurationCounts()
    /// Commits of the writer, from the last statement's sending to the answer.
    package var commits = DurationCounts()
    /// The shortest statements, one each second.
    package var roundTrips = DurationCounts()
    package var retries: [RetryReason: Int] = [:]
    /// Nil at nodes that do not read them, and while they are too old.
    package var database: DatabaseFigures?

    package init() {}
}
