import Postgres

/// Writes the rows that a store would write, from memory, and asks nothing.
final class BareLoop {
    private let connection: PostgresConnection
    private var seqs: [Int64]
    private var nextEvent: Int64 = 1
    private var nextInbox = 0
    private let now: Int64 = 1_700_000_000_000
    private let body = [UInt8](repeating: 65, count: 160)
    private let text = [UInt8](repeating: 66, count: 60)
    private static let page = 640

    /// - Parameter schema: gets the tables of a store.
    init(_ url: String, schema: String, people: Int) async throws {
        // Makes the tables.
        try await StoreBench(url, schema: schema, people: 0, withDevices: false).close()
        connection = try PostgresConnection(PostgresAddress(url + "&options=-csearch_path%3D\(schema)"))
        seqs = [Int64](repeating: 0, count: people)
    }

    /// - Returns: events a second.
    func writeEvents(groupsOf size: Int, for span: Duration, withKeys: Bool) throws -> Double {
        let start = ContinuousClock.now
        var count = 0
        while ContinuousClock.now - start < span {
            let inboxes = (0..<size).map { _ in
                nextInbox = (nextInbox + 104_729) % seqs.count
                return nextInbox
            }
            let contents = take(size)
            try connection.transaction {
                try insertNotifications(inboxes, contents: contents)
                try insertContents(contents)
                try insertTrail(contents, page: 0, keys: withKeys, verdictBytes: 24)
            }
            count += size
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// - Returns: recipients a second.
    func writeFanOut(withPushes: Bool) throws -> Double {
        let start = ContinuousClock.now
        let event = take(1)
        let recipients = [UInt8](repeating: 67, count: Self.page * 14)
        try connection.transaction {
            try connection.queue(
                """
                INSERT INTO broadcast (
                    id, event, publisher, json, after_inbox, last_inbox, total, created, updated, suppressed,
                    accepted_at, node
                ) VALUES ($1, $2, 'backend', $3, 0, 0, 10000, 0, 0, 0, $4, 1)
                """, [.int64(event[0]), .text("event-\(event[0])"), .bytes(body), .int64(now)])
            for _ in 0..<((seqs.count + Self.page - 1) / Self.page) {
                try connection.queue(
                    "INSERT INTO broadcast_page (broadcast, recipients) VALUES ($1, $2)",
                    [.int64(event[0]), .bytes(recipients)])
            }
            try insertTrail(event, page: 0, keys: false, verdictBytes: 2)
        }
        var page: Int64 = 0
        for first in stride(from: 0, to: seqs.count, by: Self.page) {
            let inboxes = Array(first..<min(first + Self.page, seqs.count))
            page += 1
            let content = take(1)
            try connection.transaction {
                try insertNotifications(inboxes, contents: [Int64](repeating: content[0], count: inboxes.count))
                try insertContents(content)
                try insertTrail(event, page: page, keys: false, verdictBytes: Self.page * 3)
                if withPushes { try insertPushes(inboxes, content: content[0]) }
                try connection.queue(
                    "UPDATE broadcast SET created = created + $2 WHERE id = $1",
                    [.int64(event[0]), .int64(Int64(inboxes.count))])
                try connection.queue(
                    """
                    DELETE FROM broadcast_page WHERE id = (SELECT min(id) FROM broadcast_page WHERE broadcast = $1)
                    """, [.int64(event[0])])
            }
        }
        return Double(seqs.count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func take(_ count: Int) -> [Int64] {
        defer { nextEvent += Int64(count) }
        return Array(nextEvent..<(nextEvent + Int64(count)))
    }

    private func insertNotifications(_ inboxes: [Int], contents: [Int64]) throws {
        for inbox in inboxes { seqs[inbox] += 1 }
        let ids = PostgresValue.int64s(inboxes.map { seqs[$0] })
        let times = PostgresValue.int64s(inboxes.map { _ in now })
        try connection.queue(
            """
            INSERT INTO notification (
                inbox, id, content, created_at, stored_at, rev, seq, unread_after, unseen_after, place, type_mark,
                group_mark, batch_key)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            [
                .int64s(inboxes.map { Int64($0) + 1 }), ids, .int64s(contents.map { $0 }), times, times,
                .int64s(inboxes.map { _ in 1 }), ids, ids, ids, ids, .int64s(inboxes.map { _ in 0x1234_5678_9abc }),
                .int64s(inboxes.map { _ in nil }), .byteArrays(inboxes.map { _ in nil }),
            ])
    }

    private func insertContents(_ ids: [Int64]) throws {
        try connection.queue(
            """
            INSERT INTO content (id, event, type, text, body, batch, push, actor, group_name, group_text, uses)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .int64s(ids.map { $0 }), .texts(ids.map { "event-\($0)" }), .texts(ids.map { _ in "SAID" }),
                .byteArrays(ids.map { _ in text }), .byteArrays(ids.map { _ in body }),
                .byteArrays(ids.map { _ in nil }), .byteArrays(ids.map { _ in nil }),
                .byteArrays(ids.map { _ in Array("renee".utf8) }), .byteArrays(ids.map { _ in nil }),
                .byteArrays(ids.map { _ in nil }), .int64s(ids.map { _ in 1 }),
            ])
    }

    private func insertTrail(_ events: [Int64], page: Int64, keys: Bool, verdictBytes: Int) throws {
        let verdicts = [UInt8](repeating: 3, count: verdictBytes)
        let none: [Int64?] = events.map { _ in nil }
        let one: [Int64?] = events.map { _ in keys ? 1 : nil }
        try connection.queue(
            """
            INSERT INTO trail_event (
                event, page, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data, fingerprint,
                recipients, created, updated, suppressed
            )
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                .texts(events.map { "event-\(1_000_000_000 + $0)" }), .int64s(events.map { _ in page }),
                .texts(events.map { _ in "backend" }), .texts(events.map { keys ? "key-\($0)" : nil }),
                .texts(events.map { _ in "said" }), .texts(events.map { _ in "renee" }), .int64s(none),
                .int64s(events.map { _ in now }), .byteArrays(events.map { _ in verdicts }),
                .byteArrays(events.map { _ in nil }), .int64s(keys ? events.map { $0 } : none), .int64s(one),
                .int64s(one), .int64s(one), .int64s(one),
            ])
    }

    private func insertPushes(_ inboxes: [Int], content: Int64) throws {
        try connection.queue(
            """
            INSERT INTO push_job (device, notification, provider, due, turn, is_fallback, expiry, content)
            SELECT device, id, 0, $3, nextval('push_turn'), true, $3 + 86400000, $4
            FROM unnest($1, $2) AS new (device, id)
            """,
            [
                .int64s(inboxes.map { Int64($0) + 1 }), .int64s(inboxes.map { seqs[$0] }),
                .int64(now + 4_000 + content), .int64(content),
            ])
    }
}
