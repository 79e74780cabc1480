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
    /// Whether its row is: what makes no sense there counts as nothing.
    let isDamaged: Bool

    static let columns = """
        id, event, publisher, key, json, everybody, after_inbox, last_inbox, total, created, updated, suppressed,
        accepted_at, ended_at, problem
        """

    /// - Parameter row: the ``columns``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        id = row.count(0)
        publisher = row.text(2)
        key = row.optionalText(3)
        json = row.optionalBytes(4)
        everybody = row.optionalText(5)
        afterInbox = row.count(6)
        lastInbox = row.count(7)
        let endedAt = row.optionalTime(13)
        let state: Broadcast.State =
            if let problem = row.optionalText(14) { .abandoned(problem) } else { endedAt == nil ? .working : .done }
        broadcast = Broadcast(
            event: row.text(1), state: state, isForEverybody: everybody != nil, total: Int(row.count(8)),
            created: Int(row.count(9)), updated: Int(row.count(10)), suppressed: Int(row.count(11)),
            acceptedAt: row.time(12), endedAt: endedAt)
        isDamaged = row.isDamaged
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
