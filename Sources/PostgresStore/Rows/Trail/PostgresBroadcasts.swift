import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Events that are delivered page by page: `broadcast`, `broadcast_page` and `broadcast_known`.
///
/// Who delivers a page holds the lock of the broadcast's row: two nodes never deliver the same page.
final class PostgresBroadcasts: PostgresPart, BroadcastRows {
    // MARK: Looking

    func record(of event: String) throws -> BroadcastRecord? {
        // Who takes the event back holds its key's lock, so no page leaves in between. A publisher who sends it again
        // has the key's lock before it looks at the broadcast: the order is the same here.
        try KeyLocks.take(ofBroadcast: event, on: connection)
        let query = PostgresStatement(
            composed: "SELECT \(BroadcastRecord.columns) FROM broadcast WHERE event = $1 FOR UPDATE")
        return try connection.run(query, [.text(event)]).first.map { try BroadcastRecord($0) }
    }

    func leaveOut(_ broadcast: Int64) {}

    func nextPage(of broadcast: Int64) throws -> BroadcastPage? {
        // Locked, as somebody who is erased meanwhile leaves the page.
        try connection.run(
            """
            SELECT id, recipients, NOT EXISTS (
                SELECT 1 FROM broadcast_page AS later WHERE later.broadcast = $1 AND later.id > page.id)
            FROM broadcast_page AS page WHERE broadcast = $1 ORDER BY id LIMIT 1 FOR UPDATE OF page
            """, [.int64(broadcast)]
        ).first.map { row in
            BroadcastPage(id: try row.int64(0), recipients: try row.bytes(1), isLast: try row.bool(2))
        }
    }

    // MARK: Writing

    func insert(
        _ entry: Publication.Entry, by publisher: String, everybody: (list: String, lastInbox: Int64)?, total: Int,
        suppressed: Int, at now: Timestamp
    ) throws -> Int64 {
        let event = entry.routed.event
        return try connection.run(
            """
            INSERT INTO broadcast (
                event, publisher, key, json, everybody, after_inbox, last_inbox, total, created, updated, suppressed,
                accepted_at, node
            ) VALUES ($1, $2, $3, $4, $5, 0, $6, $7, 0, 0, $8, $9, $10) RETURNING id
            """,
            [
                .text(entry.id), .text(publisher), .text(event.key),
                .bytes(JSONValue.object(event.jsonWithoutRecipients).encoded), .text(everybody?.list),
                .int64(everybody?.lastInbox ?? 0), .int64(Int64(total)), .int64(Int64(suppressed)),
                .int64(now.milliseconds), .int64(rows.node),
            ])[0].int64(0)
    }

    func write(_ record: BroadcastRecord) throws {
        let broadcast = record.broadcast
        try connection.queue(
            """
            UPDATE broadcast SET after_inbox = $2, total = $3, created = $4, updated = $5, suppressed = $6, node = $7
            WHERE id = $1
            """,
            [
                .int64(record.id), .int64(record.afterInbox), .int64(Int64(broadcast.total)),
                .int64(Int64(broadcast.created)), .int64(Int64(broadcast.updated)),
                .int64(Int64(broadcast.suppressed)), .int64(rows.node),
            ])
    }

    func insertPage(_ recipients: JSONObject, of broadcast: Int64) throws {
        try connection.queue(
            "INSERT INTO broadcast_page (broadcast, recipients) VALUES ($1, $2)",
            [.int64(broadcast), .bytes(JSONValue.object(recipients).encoded)])
    }

    func deletePage(_ id: Int64) throws {
        try connection.queue("DELETE FROM broadcast_page WHERE id = $1", [.int64(id)])
    }

    func insertKnown(inbox: Int64, to broadcast: Int64) throws {
        try connection.queue(
            "INSERT INTO broadcast_known (broadcast, inbox) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [.int64(broadcast), .int64(inbox)])
    }

    func end(_ broadcast: Int64, at now: Timestamp, problem: String?) throws {
        try connection.queue(
            "UPDATE broadcast SET json = NULL, ended_at = $2, problem = $3 WHERE id = $1",
            [.int64(broadcast), .int64(now.milliseconds), .text(problem)])
        try connection.queue("DELETE FROM broadcast_page WHERE broadcast = $1", [.int64(broadcast)])
        try connection.queue("DELETE FROM broadcast_known WHERE broadcast = $1", [.int64(broadcast)])
    }

    func removeEnded(before time: Timestamp) throws {
        try connection.queue("DELETE FROM broadcast WHERE ended_at <= $1", [.int64(time.milliseconds)])
    }

    func remove(_ user: UserID) throws {
        // Most pages do not name the person, which a search for the name's text shows without reading the page's JSON.
        let found = try connection.run(
            "SELECT id, recipients FROM broadcast_page WHERE position($1 IN recipients) > 0 ORDER BY id FOR UPDATE",
            [.bytes(JSONValue.string(user.key).encoded)])
        for row in found {
            // An unreadable page is left out: it reaches nobody.
            guard let lists = try? JSONValue(parsing: try row.bytes(1)).object else { continue }
            let others = BroadcastPage.recipients(lists, without: user)
            try connection.queue(
                "UPDATE broadcast_page SET recipients = $2 WHERE id = $1",
                [.int64(try row.int64(0)), .bytes(JSONValue.object(others).encoded)])
        }
    }
}
