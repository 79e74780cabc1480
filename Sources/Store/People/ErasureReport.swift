/// The data about a person that an erasure has removed.
package struct ErasureReport: Sendable, Hashable {
    /// Whether they had an inbox; a person without one was not known at all.
    package var hadInbox = false
    package var notifications = 0
    /// Contents that only their notifications showed.
    package var contents = 0
    /// Entries of their change log.
    package var changes = 0
    package var devices = 0
    /// Waiting pushes, and marks of pushes on screens.
    package var pushes = 0
    package var topics = 0
    package var feedMarks = 0
    package var trailEntries = 0
    package var hadProfile = false
    package var hadSettings = false

    package init() {}
}
