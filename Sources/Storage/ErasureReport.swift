/// What was kept about a person who was erased.
package struct ErasureReport: Sendable, Hashable {
    /// Whether they had an inbox; whoever had none was not known at all.
    package var hadInbox = false
    package var notifications = 0
    /// What only their notifications showed.
    package var contents = 0
    /// Entries of their change log.
    package var changes = 0
    package var devices = 0
    /// Pushes that waited, and marks of what is on screens.
    package var pushes = 0
    package var topics = 0
    package var feedMarks = 0
    package var trailEntries = 0
    package var hadProfile = false
    package var hadSettings = false

    package init() {}
}
