import Deliveries
import GRDB
import Inbox
import JSON
import Store

/// Events that are delivered page by page: `broadcast`, `broadcast_page` and `broadcast_known`.
final class BroadcastTable: BroadcastRows {
    private let find: Statement
    private let insert: Statement
    private let write: Statement
    private let end: Statement
    private let sweep: Statement
    private let findPage: Statement
    private let findNaming: Statement
    private let insertPage: Statement
    private let writePage: Statement
    private let deletePage: Statement
    private let deletePages: Statement
    private let insertKnown: Statement
    private let deleteKnown: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        find = try db.statement(sql: "SELECT \(BroadcastRecord.columns) FROM broadcast WHERE event = ?")
        insert = try db.statement(
            sql: """
                INSERT INTO broadcast (
                    event, publisher, key, json, everybody, after_inbox, last_inbox, total, created, updated, suppressed,
                    accepted_at
                ) VALUES (?, ?, ?, ?, ?, 0, ?, ?, 0, 0, ?, ?) RETURNING id
                """)
        write = try db.statement(
            sql: """
                UPDATE broadcast SET after_inbox = ?, total = ?, created = ?, updated = ?, suppressed = ? WHERE id = ?
                """)
        end = try db.statement(
            sql: "UPDATE broadcast SET json = NULL, ended_at = ?, problem = ? WHERE id = ?")
        sweep = try db.statement(sql: "DELETE FROM broadcast WHERE ended_at <= ?")
        findPage = try db.statement(
            sql: """
                SELECT id, recipients, id = (SELECT max(id) FROM broadcast_page WHERE broadcast = ?1) FROM broadcast_page
                WHERE broadcast = ?1 ORDER BY id LIMIT 1
                """)
        findNaming = try db.statement(
            sql: "SELECT id, recipients FROM broadcast_page WHERE instr(recipients, ?) > 0")
        insertPage = try db.statement(sql: "INSERT INTO broadcast_page (broadcast, recipients) VALUES (?, ?)")
        writePage = try db.statement(sql: "UPDATE broadcast_page SET recipients = ? WHERE id = ?")
        deletePage = try db.statement(sql: "DELETE FROM broadcast_page WHERE id = ?")
        deletePages = try db.statement(sql: "DELETE FROM broadcast_page WHERE broadcast = ?")
        insertKnown = try db.statement(
            sql: "INSERT OR IGNORE INTO broadcast_known (broadcast, inbox) VALUES (?, ?)")
        deleteKnown = try db.statement(sql: "DELETE FROM broadcast_known WHERE broadcast = ?")
    }

    // MARK: Looking

    func record(of event: String) throws -> BroadcastRecord? {
        let record = try find.first([event], BroadcastRecord.init)
        if let record, record.isDamaged { leaveOut(record.id) }
        return record
    }

    /// Reports that the stored event cannot be read.
    func leaveOut(_ broadcast: Int64) { damage.leaveOut(DamagedRow(table: "broadcast", key: "\(broadcast)")) }

    /// The next page of named people; nil if there is none.
    func nextPage(of broadcast: Int64) throws -> BroadcastPage? {
        try findPage.first([broadcast]) {
            BroadcastPage(id: try $0.int(0), recipients: try Self.recipients($0), isLast: try $0.bool(2))
        }
    }

    private static func recipients(_ row: StoredRow) throws -> [UInt8] {
        guard let bytes = try row.bytes(1) else { throw DamagedRow(table: "broadcast_page") }
        return bytes
    }

    // MARK: Writing

    /// - Parameters:
    ///   - everybody: the list of everybody else, and the last inbox that belongs to it.
    ///   - total: the approximate number of recipients.
    func insert(
        _ entry: Publication.Entry, by publisher: String, everybody: (list: String, lastInbox: Int64)?, total: Int,
        suppressed: Int, at now: Timestamp
    ) throws -> Int64 {
        let event = entry.routed.event
        let arguments: Arguments = [
            entry.id, publisher, event.key, JSONValue.object(event.jsonWithoutRecipients).encoded,
            everybody?.list, everybody?.lastInbox ?? 0, total, suppressed, now.milliseconds,
        ]
        guard let id = try insert.first(arguments, { try $0.int(0) }) else { throw DamagedRow(table: "broadcast") }
        return id
    }

    /// Writes the progress and the counts.
    func write(_ record: BroadcastRecord) throws {
        let broadcast = record.broadcast
        try write.execute(
            arguments: [
                record.afterInbox, broadcast.total, broadcast.created, broadcast.updated, broadcast.suppressed,
                record.id,
            ])
    }

    func insertPage(_ recipients: JSONObject, of broadcast: Int64) throws {
        try insertPage.execute(arguments: [broadcast, JSONValue.object(recipients).encoded])
    }

    func deletePage(_ id: Int64) throws { try deletePage.execute(arguments: [id]) }

    /// Excludes an inbox from the pages of everybody else.
    func insertKnown(inbox: Int64, to broadcast: Int64) throws {
        try insertKnown.execute(arguments: [broadcast, inbox])
    }

    /// Ends a broadcast: only its counts are kept.
    func end(_ broadcast: Int64, at now: Timestamp, problem: String?) throws {
        try end.execute(arguments: [now.milliseconds, problem, broadcast])
        try deletePages.execute(arguments: [broadcast])
        try deleteKnown.execute(arguments: [broadcast])
    }

    /// Removes broadcasts that ended before a moment.
    func removeEnded(before time: Timestamp) throws { try sweep.execute(arguments: [time.milliseconds]) }

    /// Removes a person from all waiting pages.
    func remove(_ user: UserID) throws {
        // Most pages do not name the person, which a search for the name's text shows without reading the page's JSON.
        let naming = RowNaming(table: "broadcast_page")
        // An unreadable page is left out: it reaches nobody.
        let pages = try findNaming.sound([JSONValue.string(user.key).encoded], of: naming, damage) { row in
            guard let lists = try JSONValue(parsing: Self.recipients(row)).object else { throw naming.row(row) }
            return (id: try row.int(0), lists: lists)
        }
        for page in pages {
            let others = BroadcastPage.recipients(page.lists, without: user)
            try writePage.execute(arguments: [JSONValue.object(others).encoded, page.id])
        }
    }
}
