package import Inbox
package import Push

/// The number of pushes of one kind that a person got in the current hour.
package protocol PushPaceRows: AnyObject {
    /// Nil for a missing or an unreadable row: the hour begins anew.
    func pace(inbox: Int64, foldKey: String) throws -> PushPace?

    func write(_ pace: PushPace, inbox: Int64, foldKey: String) throws
    /// The process' clock was moved, and all hours with it.
    func move(by span: Duration) throws
    /// Drops some of the hours that are over.
    func removeEnded(at now: Timestamp) throws
}
