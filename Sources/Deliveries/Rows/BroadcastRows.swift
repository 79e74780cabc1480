package import Inbox
package import JSON
package import Store

/// Events that are on their way to many people, page by page.
package protocol BroadcastRows: AnyObject {
    func record(of event: String) throws -> BroadcastRecord?
    /// Reports that the stored event cannot be read.
    func leaveOut(_ broadcast: Int64)
    func nextPage(of broadcast: Int64) throws -> BroadcastPage?

    /// Keeps an event without its people; tells its number.
    func insert(
        _ entry: Publication.Entry, by publisher: String, everybody: (list: String, lastInbox: Int64)?, total: Int,
        suppressed: Int, at now: Timestamp
    ) throws -> Int64
    /// Writes how far it is.
    func write(_ record: BroadcastRecord) throws
    func insertPage(_ recipients: JSONObject, of broadcast: Int64) throws
    func deletePage(_ id: Int64) throws
    /// The person is not one of everybody else.
    func insertKnown(inbox: Int64, to broadcast: Int64) throws
    func end(_ broadcast: Int64, at now: Timestamp, problem: String?) throws
    func removeEnded(before time: Timestamp) throws
    /// Takes a person out of all pages.
    func remove(_ user: UserID) throws
}
