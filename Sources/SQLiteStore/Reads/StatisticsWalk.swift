import GRDB
import Inbox
import Store

/// One count of the whole store in short steps. No reader and no snapshot is held between two steps, so that even a
/// large store goes on with its work, and its log is copied back.
struct StatisticsWalk: Sendable {
    private enum Place: Sendable {
        case inboxes(after: Int64)
        case devices(after: Int64)
        case end
    }

    private var place = Place.inboxes(after: .min)
    /// The counts so far. Each inbox's drift is judged within one snapshot, so changes meanwhile never cause any.
    private(set) var counts: StoreCounts

    init(at now: Timestamp) { counts = StoreCounts(began: now) }

    var isOver: Bool { if case .end = place { true } else { false } }

    /// Counts about so many more rows, in the snapshot that `db` is in; an inbox is counted as a whole.
    mutating func step(_ db: Database, rows: Int) throws {
        var rest = rows
        while rest > 0 {
            switch place {
            case .inboxes(let id): try countInboxes(db, after: id, &rest)
            case .devices(let row): try countDevices(db, after: row, &rest)
            case .end: return
            }
        }
    }

    private mutating func countInboxes(_ db: Database, after id: Int64, _ rest: inout Int) throws {
        let inboxes = try db.statement(sql: "SELECT id, unread FROM inbox_state WHERE id > ? ORDER BY id")
        let rows = try db.statement(
            sql: "SELECT count(*), count(*) FILTER (WHERE is_read = 0) FROM notification WHERE inbox = ?")
        var isAtEnd = true
        // One by one: each inbox's counts are looked up, and most inboxes ahead are for a later step.
        try inboxes.visit([id]) { row in
            var row = CheckedRow(row)
            let (id, unread) = (row.count(0), row.count(1))
            isAtEnd = rest > 0
            guard isAtEnd else { return false }
            let (count, unreadRows) = try rows.first([id]) { (try $0.int(0), try $0.int(1)) } ?? (0, 0)
            counts.inboxes += 1
            counts.notifications += count
            counts.unreadDrift += abs(unread - unreadRows)
            rest -= 1 + Int(count)
            place = .inboxes(after: id)
            return true
        }
        if isAtEnd { place = .devices(after: .min) }
    }

    private mutating func countDevices(_ db: Database, after row: Int64, _ rest: inout Int) throws {
        let devices = try db.statement(
            sql: "SELECT count(*), max(row) FROM (SELECT row FROM device WHERE row > ? ORDER BY row LIMIT ?)")
        let found = try devices.first([row, rest]) { (count: try $0.int(0), last: try $0.optionalInt(1)) }
        guard let found, let last = found.last else {
            place = .end
            return
        }
        counts.devices += found.count
        rest -= Int(found.count)
        place = .devices(after: last)
    }
}
