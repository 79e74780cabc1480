import GRDB

/// One count of the whole store in short steps. Between two steps no reader and no snapshot is held, so that a large store
/// goes on with its work, and its log is copied back, while it is counted.
struct StatisticsWalk: Sendable {
    private enum Place: Sendable {
        case inboxes(after: Int64)
        case contents(after: Int64)
        case devices(after: Int64)
        case end
    }

    private var place = Place.inboxes(after: .min)
    /// What was counted so far, without pushes, of which the writer keeps count. Each inbox's drift is judged within one
    /// snapshot, so it is never due to changes meanwhile.
    private(set) var statistics = StoreStatistics(
        inboxes: 0, notifications: 0, contents: 0, pushJobs: 0, unreadDrift: 0)

    var isOver: Bool { if case .end = place { true } else { false } }

    /// Counts on, by about so many rows, in the snapshot that `db` is in: an inbox is counted as a whole.
    mutating func step(_ db: Database, rows: Int) throws {
        var rest = rows
        while rest > 0, !isOver {
            switch place {
            case .inboxes(let id): try countInboxes(db, after: id, &rest)
            case .contents(let id):
                let last = try count(db, "content", "id", after: id, &rest, into: \.contents)
                place = last.map { .contents(after: $0) } ?? .devices(after: .min)
            case .devices(let row):
                let last = try count(db, "device", "row", after: row, &rest, into: \.devices)
                place = last.map { .devices(after: $0) } ?? .end
            case .end: break
            }
        }
    }

    private mutating func countInboxes(_ db: Database, after id: Int64, _ rest: inout Int) throws {
        let inboxes = try db.cachedStatement(sql: "SELECT id, unread FROM inbox_state WHERE id > ? ORDER BY id LIMIT ?")
        let rows = try db.cachedStatement(
            sql: "SELECT count(*), count(*) FILTER (WHERE is_read = 0) FROM notification WHERE inbox = ?")
        let next = try inboxes.all([id, rest]) { (id: try $0.int(0), unread: try $0.int(1)) }
        if next.isEmpty { place = .contents(after: .min) }
        for inbox in next where rest > 0 {
            let (count, unread) = try rows.first([inbox.id]) { (try $0.int(0), try $0.int(1)) } ?? (0, 0)
            statistics.inboxes += 1
            statistics.notifications += count
            statistics.unreadDrift += abs(inbox.unread - unread)
            rest -= 1 + Int(count)
            place = .inboxes(after: inbox.id)
        }
    }

    /// - Returns: the last row's key; nil if no rows are left.
    private mutating func count(
        _ db: Database, _ table: String, _ key: String, after last: Int64, _ rest: inout Int,
        into sum: WritableKeyPath<StoreStatistics, Int64>
    ) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT count(*), max(\(key)) FROM (SELECT \(key) FROM \(table) WHERE \(key) > ? ORDER BY \(key) LIMIT ?)
                """)
        let found = try statement.first([last, rest]) { (count: try $0.int(0), last: try $0.optionalInt(1)) }
        guard let found, found.count > 0 else { return nil }
        statistics[keyPath: sum] += found.count
        rest -= Int(found.count)
        return found.last
    }
}
