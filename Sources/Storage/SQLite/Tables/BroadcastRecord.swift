import Inbox
import JSON

/// One row of `broadcast`.
struct BroadcastRecord {
    let id: Int64
    var broadcast: Broadcast
    /// Scopes the key.
    let publisher: String
    let key: String?
    /// The event without its recipients; nil for one that has ended.
    let json: [UInt8]?
    /// The name of the recipient list of everybody else.
    let everybody: String?
    /// Everybody else up to this inbox has been reached.
    var afterInbox: Int64
    /// The last of everybody.
    let lastInbox: Int64

    static let columns = """
        id, event, publisher, key, json, everybody, after_inbox, last_inbox, total, created, updated, suppressed,
        accepted_at, ended_at, problem
        """

    /// - Parameter row: the ``columns``.
    init(_ row: StoredRow) throws {
        id = try row.int(0)
        publisher = try row.text(2)
        key = try row.optionalText(3)
        json = try row.bytes(4)
        everybody = try row.optionalText(5)
        afterInbox = try row.int(6)
        lastInbox = try row.int(7)
        let endedAt = try row.optionalInt(13).map(Timestamp.init(milliseconds:))
        let state: Broadcast.State =
            if let problem = try row.optionalText(14) { .abandoned(problem) } else { endedAt == nil ? .working : .done }
        broadcast = Broadcast(
            event: try row.text(1), state: state, isForEverybody: everybody != nil, total: Int(try row.int(8)),
            created: Int(try row.int(9)), updated: Int(try row.int(10)), suppressed: Int(try row.int(11)),
            acceptedAt: Timestamp(milliseconds: try row.int(12)), endedAt: endedAt)
    }

    /// The event with some of its people.
    func event(to recipients: [Event.RecipientList]) throws -> Event {
        guard let json else { throw DamagedRow(table: "broadcast") }
        // What has expired since it came is still a notification.
        var event = try json.withUnsafeBytes { try Event(stored: JSONNode(parsing: $0)) }
        event.to = recipients
        return event
    }
}
