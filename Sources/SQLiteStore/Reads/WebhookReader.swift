import Deliveries
import GRDB
import Inbox
import Store

/// Counts webhooks and reads dead letters, as of the snapshot that `db` is in.
struct WebhookReader: WebhookReads {
    private let db: Database
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func counts() throws -> [String: WebhookCount] {
        var counts: [String: WebhookCount] = [:]
        // Each from an index, without the rows.
        try db.statement(sql: "SELECT endpoint, count(*) FROM webhook WHERE due IS NOT NULL GROUP BY endpoint")
            .forEach([]) { counts[try $0.text(0), default: WebhookCount()].waiting = try $0.int(1) }
        try db.statement(sql: "SELECT endpoint, count(*) FROM webhook WHERE buried_at IS NOT NULL GROUP BY endpoint")
            .forEach([]) { counts[try $0.text(0), default: WebhookCount()].dead = try $0.int(1) }
        return counts
    }

    func deadLetters(of endpoint: String, limit: Int) throws -> [DeadLetter] {
        try db.statement(
            sql: """
                SELECT id, buried_at, failures, reason, body FROM webhook
                WHERE endpoint = ? AND buried_at IS NOT NULL ORDER BY buried_at DESC, id DESC LIMIT ?
                """
        ).all([endpoint, limit]) { row -> DeadLetter? in
            var row = CheckedRow(row)
            let letter = DeadLetter(
                id: row.text(0), buriedAt: row.time(1), failures: Int(row.count(2)), reason: row.text(3),
                body: row.optionalBytes(4) ?? [])
            guard row.isDamaged else { return letter }
            damage.leaveOut(DamagedRow(table: "webhook", key: letter.id))
            return nil
        }.compactMap { $0 }
    }
}
