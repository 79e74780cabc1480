/// A wrong row, and the check that has to find it.
struct Plant: Sendable, CustomStringConvertible {
    /// The check's name.
    let check: String
    /// For each engine; nil where there is no such row.
    let sqlite: [String]?
    let postgres: [String]?
    var canBeMended = true
    /// Whether rows are gone by the statements themselves.
    var isLoss: Bool { ["counts", "notification without content", "batches of one key"].contains(check) }

    var description: String { check }

    /// For both engines.
    init(_ check: String, _ statements: String..., canBeMended: Bool = true) {
        (self.check, sqlite, postgres, self.canBeMended) = (check, statements, statements, canBeMended)
    }

    init(_ check: String, sqlite: String?, postgres: String?, canBeMended: Bool = true) {
        self.check = check
        (self.sqlite, self.postgres) = (sqlite.map { [$0] }, postgres.map { [$0] })
        self.canBeMended = canBeMended
    }

    /// Other bytes in a column of bytes.
    static func bytes(_ check: String, _ column: String, _ text: String, where condition: String = "true") -> Plant {
        let update = "UPDATE \(check.split(separator: " ").last ?? "") SET \(column) ="
        return Plant(
            check, sqlite: "\(update) CAST('\(text)' AS BLOB) WHERE \(condition)",
            postgres: "\(update) '\(text)' WHERE \(condition)", canBeMended: false)
    }

    func statements(for engine: Engine) -> [String]? { engine == .postgres ? postgres : sqlite }

    /// An unread notification and a read one of ada's, who has several of both.
    private static let unread = "inbox = 1 AND id = (SELECT max(id) FROM notification WHERE inbox = 1 AND NOT is_read)"
    private static let read = "inbox = 1 AND id = (SELECT max(id) FROM notification WHERE inbox = 1 AND is_read)"
    private static let first = "inbox = 1 AND id = (SELECT min(id) FROM notification WHERE inbox = 1)"

    static let all = inboxes + notifications + pushes + feeds + trail + rows + ofOneEngine

    private static let inboxes = [
        Plant("counts", "UPDATE inbox SET seq = 70000, unread = 77 WHERE id = 1"),
        Plant("counts", "UPDATE inbox SET seq = 70000, total = total + 1 WHERE id = 2"),
        Plant("counts", "UPDATE notification SET is_read = true, is_seen = true, batch_key = NULL WHERE \(unread)"),
        Plant("counts", "DELETE FROM notification WHERE \(first)"),
        Plant(
            "seq", "INSERT INTO change (inbox, seq, kind, unread, unseen, delta) VALUES (1, 999999, 7, 0, 0, 0)"),
        Plant("seq", "UPDATE notification SET seq = 888888 WHERE \(unread)"),
        Plant("counts of devices", "UPDATE inbox SET devices = devices + 1 WHERE id = 2"),
        Plant("erasures of living people", "INSERT INTO erasure (inbox) VALUES (2)"),
        Plant("store epoch", "DELETE FROM store_epoch"),
        Plant("store epoch", "INSERT INTO store_epoch (epoch) VALUES ('another')"),
        Plant(
            "notification without inbox",
            """
            INSERT INTO notification (inbox, id, content, created_at, stored_at, rev, seq, is_read, is_seen, unread_after,
                unseen_after, place, type_mark)
            VALUES (40, 1, 1, 0, 0, 1, 1, false, false, 1, 1, 1, 0)
            """),
        Plant(
            "push_only without inbox",
            """
            INSERT INTO push_only (inbox, id, content, created_at, stored_at, rev)
            SELECT 40, 8589934999, min(content.id), 0, 0, 1 FROM content
            """),
        Plant(
            "change without inbox",
            "INSERT INTO change (inbox, seq, kind, unread, unseen, delta) VALUES (40, 1, 7, 0, 0, 0)"),
        Plant(
            "trail_step without inbox",
            "INSERT INTO trail_step (number, inbox, notification, at, kind) VALUES (88888, 40, 1, 0, 'patched')"),
    ]

    private static let notifications = [
        Plant("read and not seen", "UPDATE notification SET is_seen = false WHERE \(read)"),
        Plant("open batches", "UPDATE notification SET batch_key = 'k' WHERE \(read)"),
        Plant(
            "batches of one key",
            "UPDATE notification SET batch_key = 'k' WHERE inbox = 2 AND NOT is_read"),
        Plant("numbers of notifications", "UPDATE notification SET rev = 0 WHERE \(first)"),
        Plant("numbers of notifications", "UPDATE notification SET seq = id - 1 WHERE \(first)"),
        Plant(
            "places in lists",
            "UPDATE notification SET place = (SELECT max(id) FROM notification WHERE inbox = 1) WHERE \(first)"),
        Plant("notification without content", "UPDATE notification SET content = 777777 WHERE \(first)"),
        Plant(
            "push_only without content",
            """
            INSERT INTO push_only (inbox, id, content, created_at, stored_at, rev)
            VALUES (1, 8589934998, 777777, 0, 0, 1)
            """),
        Plant("uses of contents", "UPDATE content SET uses = uses + 1 WHERE id = (SELECT min(id) FROM content)"),
        Plant(
            "uses of contents",
            """
            INSERT INTO content (id, event, type, text, body, uses) SELECT 600, 'e', 'T', text, body, 1 FROM content LIMIT 1
            """),
        Plant("marks of lists", "UPDATE notification SET type_mark = 5 WHERE \(first)"),
        Plant("marks of lists", "UPDATE notification SET group_mark = 5 WHERE \(first)"),
        Plant(
            "device without inbox",
            """
            INSERT INTO device (row, inbox, app, id, provider, token, registered_at, last_seen_at)
            VALUES (999, 40, '', 'phone', 'apns', 'lost', 0, 0)
            """),
        Plant("topic_member without topic", "INSERT INTO topic_member (topic, inbox) VALUES (99, 1)"),
        Plant(
            "topic_member without inbox",
            "INSERT INTO topic_member (topic, inbox) SELECT min(topic.id), 40 FROM topic"),
    ]

    /// A waiting push of a device's, about the notification with this number.
    private static func push(_ check: String, _ device: Int, _ notification: String, content: String = "NULL") -> Plant
    {
        Plant(
            check,
            sqlite: """
                INSERT INTO push_job (place, number, is_fallback, failures, expiry, content)
                SELECT 131072, (CAST(\(device) AS INTEGER) << 34) + \(notification), 1, 0, 9000, \(content)
                """,
            postgres: """
                INSERT INTO push_job (device, notification, provider, due, turn, is_fallback, expiry, content)
                SELECT \(device), \(notification), 0, 1, 0, true, 9000, \(content)
                ON CONFLICT (device, notification) DO UPDATE SET content = EXCLUDED.content
                """)
    }

    private static let pushes = [
        push("pushes without device", 999, "1"),
        push("needless pushes", 1, "700000"),
        push("needless pushes", 1, "(SELECT max(id) FROM notification WHERE inbox = 1 AND is_read)"),
        push(
            "contents of pushes", 1,
            "(SELECT max(id) FROM notification WHERE inbox = 1 AND NOT is_read)", content: "777777"),
        Plant(
            "push_mark without device", sqlite: "INSERT INTO push_mark (device, marks) VALUES (999, x'')",
            postgres: "INSERT INTO push_mark (device, marks) VALUES (999, '')"),
        Plant(
            "push_pace without inbox",
            """
            INSERT INTO push_pace (inbox, fold_key, start, count, has_waiting, ends_at)
            VALUES (40, 'k', 0, 1, false, 0)
            """),
        Plant(
            "question without inbox",
            "INSERT INTO question (inbox, notification, answer_by, event) VALUES (40, 1, 0, 'e')"),
    ]

    private static let feeds = [
        Plant(
            "feed_item without feed",
            "INSERT INTO feed_item (feed, \"offset\", published_at, json) SELECT 99, 1, 0, json FROM feed_item LIMIT 1"),
        Plant(
            "feed_change without feed",
            """
            INSERT INTO feed_change (feed, "offset", published_at, target, is_removal, item_id, tags)
            VALUES (99, 1, 0, 1, false, '', '[]')
            """),
        Plant("feed_tag without feed", "INSERT INTO feed_tag (feed, tag, \"offset\") VALUES (99, 'a', 1)"),
        Plant("feed_tag without item", "INSERT INTO feed_tag (feed, tag, \"offset\") VALUES (1, 'a', 7777)"),
        Plant("feed_mark without feed", "INSERT INTO feed_mark (inbox, feed, viewed) VALUES (1, 99, 0)"),
        Plant("feed_mark without inbox", "INSERT INTO feed_mark (inbox, feed, viewed) VALUES (40, 1, 0)"),
        Plant(
            "offsets of feeds",
            """
            INSERT INTO feed_change (feed, "offset", published_at, target, is_removal, item_id, tags)
            SELECT feed, max("offset"), 0, 1, false, '', '[]' FROM feed_item GROUP BY feed LIMIT 1
            """, canBeMended: false),
        Plant("tips of feeds", "UPDATE feed_item SET other = \"offset\", other_at = 0", canBeMended: false),
        Plant("trimmed feeds", "UPDATE feed SET trimmed = 99999 WHERE id = 1"),
        Plant("marks of feeds", "UPDATE feed_mark SET viewed = 99999 WHERE inbox = 1"),
    ]

    private static let trail = [
        Plant(
            "idempotency keys",
            """
            INSERT INTO trail_event (event, page, publisher, key, type, accepted_at, verdicts, fingerprint)
            SELECT 'zzz', 0, publisher, key, type, accepted_at + 1, verdicts, fingerprint FROM trail_event
            WHERE page = 0 AND key IS NOT NULL AND fingerprint IS NOT NULL LIMIT 1
            """, canBeMended: false),
        Plant(
            "events for many", "UPDATE broadcast SET ended_at = 5 WHERE ended_at IS NULL", canBeMended: false),
        Plant(
            "broadcast_page without event",
            "INSERT INTO broadcast_page (id, broadcast, recipients) SELECT 999, 999, recipients FROM broadcast_page LIMIT 1"
        ),
        Plant("broadcast_known without event", "INSERT INTO broadcast_known (broadcast, inbox) VALUES (999, 1)"),
        Plant(
            "states of webhooks",
            "UPDATE webhook SET due = NULL WHERE id = (SELECT min(id) FROM webhook WHERE due IS NOT NULL)"),
        Plant(
            "webhook without inbox",
            "INSERT INTO webhook (id, endpoint, inbox, due, failures, body) SELECT 'w', endpoint, 40, 0, 0, body FROM webhook LIMIT 1"
        ),
    ]

    private static let rows = [
        Plant("rows of inbox", "UPDATE inbox SET settings = '{' WHERE id = 1", canBeMended: false),
        Plant("rows of inbox", "UPDATE inbox SET email = 'other@example.com' WHERE id = 3", canBeMended: false),
        Plant("rows of inbox", "UPDATE inbox SET app = 'other' WHERE id = 1", canBeMended: false),
        bytes("rows of content", "body", "\"a\":", where: "id = 1"),
        bytes("rows of content", "push", "x", where: "id = 1"),
        Plant("rows of change", "UPDATE change SET kind = 9", canBeMended: false),
        Plant("rows of device", "UPDATE device SET provider = 'nobody' WHERE row = 1", canBeMended: false),
        Plant("rows of device", "UPDATE device SET environment = 'nowhere' WHERE row = 1", canBeMended: false),
        bytes("rows of push_mark", "marks", "ZZZZ"),
        bytes("rows of feed_item", "json", "{"),
        Plant("rows of feed_change", "UPDATE feed_change SET tags = '{}'", canBeMended: false),
        bytes("rows of webhook", "body", "["),
        bytes("rows of trail_event", "verdicts", "ZZZZ"),
        bytes("rows of broadcast_page", "recipients", "["),
        Plant("rows of notification", "UPDATE notification SET unread_after = -1", canBeMended: false),
        Plant("rows of trail_step", "UPDATE trail_step SET at = 9223372036854775807", canBeMended: false),
    ]

    private static let ofOneEngine = [
        Plant(
            "stretches of read rows", sqlite: "UPDATE read_span SET first = 0 WHERE inbox = 1", postgres: nil),
        Plant(
            "pushes twice",
            sqlite: """
                INSERT INTO push_job (place, number, is_fallback, failures, expiry)
                SELECT place + 131072000, number, 1, 0, 9000 FROM push_job LIMIT 1
                """, postgres: nil),
        Plant("numbers of inboxes", sqlite: "UPDATE inbox_floor SET id = 0", postgres: nil),
        Plant("schema", sqlite: "DROP INDEX question_due", postgres: nil),
        Plant("schema", sqlite: "DROP VIEW inbox_state", postgres: nil),
        Plant("places of devices", sqlite: nil, postgres: "DELETE FROM push_line"),
        Plant("first pushes of devices", sqlite: nil, postgres: "UPDATE push_line SET first_due = 9000000000000"),
        Plant("numbers of content", sqlite: nil, postgres: "SELECT setval(pg_get_serial_sequence('content', 'id'), 1)"),
        // The last ones: a copy of rows brings back neither.
        Plant("schema", sqlite: nil, postgres: "DROP INDEX question_due", canBeMended: false),
        Plant("schema", sqlite: "DROP TABLE clock", postgres: "DROP TABLE clock", canBeMended: false),
    ]
}
