package import Inbox

/// The trail of decisions: what is kept of events, and of what became of each notification.
package protocol TrailRows: AnyObject {
    // Rows that cannot be read are left out: what they name stays as it is.

    /// The rows of all events with this key, the newest event first.
    func keyed(_ key: String, by publisher: String) throws -> [TrailedKey]
    /// The newest event with this key; nil without any.
    func newest(_ key: String, by publisher: String) throws -> String?
    /// The next two rows of this key's events that are not completely taken back.
    func unretracted(_ key: String, by publisher: String) throws -> [TrailedKey]
    /// Whether the publisher has taken back the event, or has begun to.
    func isRetracted(_ event: String) throws -> Bool

    /// Writes a row for each event of the transaction. A later page of an event has the head of its first page, as the
    /// first may go before it; without a first page it is not written.
    func write(_ recorder: TrailRecorder) throws
    /// - Parameter end: when the last recipient was reached; nil before that.
    func writeProgress(_ retracted: Int, end: Timestamp?, at place: TrailPlace) throws

    // What the sweep asks for, and does.

    /// The next rows behind a place, in the order of events and pages.
    func events(after place: TrailPlace, limit: Int) throws -> [SweptEvent]
    /// Nil for a row that cannot be read.
    func verdicts(at place: TrailPlace) throws -> TrailVerdicts?
    func write(_ verdicts: TrailVerdicts, at place: TrailPlace) throws
    func remove(at place: TrailPlace) throws
    /// Looks at the first `limit` steps and removes those from before a time; tells how many went.
    func removeSteps(before time: Timestamp, limit: Int) throws -> Int

    /// Forgets what became of a person's notifications, at most `limit` steps; tells how many went.
    func remove(inbox: Int64, limit: Int) throws -> Int
}
