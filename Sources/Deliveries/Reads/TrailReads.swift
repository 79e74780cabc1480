package import Inbox
package import Store

/// Reads the trail. Rows that cannot be read are left out.
package protocol TrailReads {
    /// The newest event with this key; nil without any.
    func newest(_ key: String, by publisher: String) throws -> String?
    /// An event's rows, its first page first.
    func rows(ofEvent id: String) throws -> [TrailRow]
    /// The event as its first page tells it; nil for an unknown one.
    func event(_ id: String) throws -> TrailedEvent?
    /// Visits rows back from an event.
    /// - Parameters:
    ///   - event: nil for the end of the trail.
    ///   - visit: gets nil for a row that cannot be read; returns whether to go on.
    func forEachRow(before event: String?, _ visit: (TrailRow?) throws -> Bool) throws
    /// As ``forEachRow(before:_:)``, but either way, and only what an event's row says about people.
    func forEachVerdicts(
        _ direction: TrailDirection, from event: String,
        _ visit: ((event: String, verdicts: TrailVerdicts, size: Int)?) throws -> Bool) throws

    func inbox(of user: UserID) throws -> Int64?
    /// Nil where the inbox's row is damaged or gone.
    func user(ofInbox inbox: Int64) throws -> UserID?
    func state(of notification: NotificationID) throws -> TrailedRecipient.State
    /// Nil for a notification that is gone.
    func times(of notification: NotificationID) throws -> StoredTimes?
    /// The steps of a notification since a time, in their order.
    func steps(of notification: NotificationID, since start: Timestamp) throws -> [TrailedRecipient.Step]
    /// The pushes of a notification that wait, in any order.
    func waiting(_ notification: NotificationID) throws -> [TrailedRecipient.Waiting]
    /// The accepted pushes that devices' marks tell, in any order.
    func sent(_ notification: NotificationID) throws -> [TrailedRecipient.Step]
}
