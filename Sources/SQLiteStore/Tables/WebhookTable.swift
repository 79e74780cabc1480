import Deliveries
import GRDB
import Inbox
import Store

/// Webhooks that are to be sent, and dead letters.
final class WebhookTable: WebhookRows {
    private let insert: Statement
    private let find: Statement
    private let take: Statement
    private let findNext: Statement
    private let delete: Statement
    private let putOff: Statement
    private let bury: Statement
    private let revive: Statement
    private let deleteOld: Statement
    private let deleteInbox: Statement
    private let shift: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        // They never run at the same time, and rarely at all.
        let room = ArgumentRoom(capacity: 4_096)
        func statement(_ sql: String) throws -> Statement { try Statement(db, sql: sql, room: room) }
        insert = try statement(
            "INSERT INTO webhook (id, endpoint, inbox, due, failures, body) VALUES (?, ?, ?, ?, 0, ?)")
        find = try db.statement(
            sql: "SELECT id, failures, body FROM webhook WHERE endpoint = ? AND due <= ? ORDER BY due, id LIMIT ?")
        take = try statement("UPDATE webhook SET due = ? WHERE id = ?")
        findNext = try statement(
            "SELECT due FROM webhook WHERE endpoint = ? AND due IS NOT NULL ORDER BY due LIMIT 1")
        delete = try statement("DELETE FROM webhook WHERE id = ?")
        putOff = try statement(
            "UPDATE webhook SET due = ?, failures = ?, reason = ? WHERE id = ? AND due IS NOT NULL")
        bury = try statement(
            "UPDATE webhook SET due = NULL, buried_at = ?, failures = ?, reason = ? WHERE id = ? AND due IS NOT NULL")
        revive = try statement(
            """
            UPDATE webhook SET due = ?, buried_at = NULL, failures = 0, reason = NULL WHERE id IN (
                SELECT id FROM webhook WHERE endpoint = ? AND buried_at IS NOT NULL ORDER BY buried_at LIMIT ?)
            """)
        deleteOld = try statement(
            "DELETE FROM webhook WHERE id IN (SELECT id FROM webhook WHERE id < ? ORDER BY id LIMIT ?)")
        deleteInbox = try statement("DELETE FROM webhook WHERE inbox = ?")
        shift = try statement("UPDATE webhook SET due = due + ?1 WHERE due BETWEEN -?2 AND ?2")
    }

    func insert(_ webhooks: [NewWebhook]) throws {
        for webhook in webhooks {
            try insert.execute(
                arguments: [webhook.id, webhook.endpoint, webhook.inbox, webhook.due.milliseconds, webhook.body])
        }
    }

    func lease(_ limit: Int, of endpoint: String, at now: Timestamp, until end: Timestamp) throws -> [Webhook] {
        let found =
            try find.all([endpoint, now.milliseconds, limit]) { row in
                var row = CheckedRow(row)
                let (id, failures, body) = (row.text(0), row.count(1), row.optionalBytes(2))
                guard !row.isDamaged, let body else {
                    damage.leaveOut(DamagedRow(table: "webhook", key: id))
                    return (id, nil)
                }
                return (id, Webhook(id: id, failures: Int(failures), body: body))
            } as [(id: String, webhook: Webhook?)]
        // A damaged one waits, too: otherwise it would be found first, each time.
        for (id, _) in found { try take.execute(arguments: [end.milliseconds, id]) }
        return found.compactMap(\.webhook)
    }

    func nextDue(of endpoint: String) throws -> Timestamp? {
        try findNext.first([endpoint]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    func settle(_ outcomes: [WebhookOutcome]) throws {
        for outcome in outcomes {
            switch outcome {
            case .delivered(let id): try delete.execute(arguments: [id])
            case .putOff(let id, let due, let failures, let reason):
                try putOff.execute(arguments: [due.milliseconds, failures, reason, id])
            case .buried(let id, let time, let failures, let reason):
                try bury.execute(arguments: [time.milliseconds, failures, reason, id])
            }
        }
    }

    func revive(_ limit: Int, of endpoint: String, due: Timestamp) throws -> Int {
        try revive.execute(arguments: [due.milliseconds, endpoint, limit])
        return revive.changedRows
    }

    func remove(_ limit: Int, before id: String) throws -> Int {
        try deleteOld.execute(arguments: [id, limit])
        return deleteOld.changedRows
    }

    func remove(inbox: Int64) throws { try deleteInbox.execute(arguments: [inbox]) }

    func move(by span: Duration) throws {
        try shift.execute(arguments: [span.milliseconds, CheckedRow.furthest])
    }
}
