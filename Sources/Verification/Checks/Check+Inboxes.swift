import Migration

/// Inboxes with their counts, and what is in them.
extension Check {
    /// Each inbox's counts as they are. The newest notification holds those right after it, if it came after the row of
    /// the inbox was written.
    private static let state = """
        (SELECT person.id AS inbox, coalesce(newest.id, person.seq) AS seq,
            coalesce(newest.unread_after, person.unread) AS unread,
            coalesce(newest.unseen_after, person.unseen) AS unseen,
            person.total + coalesce(newest.id - person.seq, 0) AS total
        FROM inbox AS person LEFT JOIN notification AS newest
            ON newest.inbox = person.id AND newest.id > person.seq
            AND newest.id = (SELECT max(other.id) FROM notification AS other WHERE other.inbox = person.id)) AS state
        """

    /// Inboxes whose counts are not those of their rows.
    private static let miscounted = """
        FROM \(state) LEFT JOIN (
            SELECT inbox, count(*) AS total, count(*) FILTER (WHERE NOT is_read) AS unread,
                count(*) FILTER (WHERE NOT is_seen) AS unseen
            FROM notification GROUP BY inbox) AS counted ON counted.inbox = state.inbox
        WHERE state.unread <> coalesce(counted.unread, 0) OR state.unseen <> coalesce(counted.unseen, 0)
            OR state.total <> coalesce(counted.total, 0)
        """

    /// Inboxes with a row whose number is still to come.
    private static let overtaken = """
        FROM \(state) JOIN (
            SELECT inbox, max(number) AS number FROM (
                SELECT inbox, id AS number FROM notification UNION ALL SELECT inbox, seq FROM notification
                UNION ALL SELECT inbox, place FROM notification UNION ALL SELECT inbox, seq FROM change) AS numbers
            GROUP BY inbox) AS used ON used.inbox = state.inbox
        WHERE used.number > state.seq
        """

    private static let rowCount = "SELECT count(*) FROM notification WHERE notification.inbox = inbox.id"

    /// Counts the rows of some inboxes anew. Clients have seen other numbers, so they start anew: with another epoch,
    /// and numbers that nobody has had.
    private static func recount(_ inboxes: String, _ dialect: Dialect) -> String {
        """
        UPDATE inbox SET epoch = \(dialect.newEpoch), seq = \(RenewedEpochs.skippedNumbers) + (
            SELECT max(number) FROM (
                SELECT inbox.seq AS number
                UNION ALL SELECT max(id) FROM notification WHERE notification.inbox = inbox.id
                UNION ALL SELECT max(seq) FROM notification WHERE notification.inbox = inbox.id
                UNION ALL SELECT max(place) FROM notification WHERE notification.inbox = inbox.id
                UNION ALL SELECT max(seq) FROM change WHERE change.inbox = inbox.id) AS numbers),
            total = (\(rowCount)), unread = (\(rowCount) AND NOT is_read), unseen = (\(rowCount) AND NOT is_seen)
        WHERE id IN (\(inboxes))
        """
    }

    static func inboxes(_ dialect: Dialect) -> [Check] {
        [
            Check(
                "counts", "inboxes whose unread, unseen or total count is not the number of their rows",
                "SELECT 'inbox ' || state.inbox \(miscounted)",
                mends: [recount("SELECT state.inbox \(miscounted)", dialect)]),
            Check(
                "seq", "inboxes with rows whose number lies beyond the inbox's own",
                "SELECT 'inbox ' || state.inbox \(overtaken)",
                mends: [recount("SELECT state.inbox \(overtaken)", dialect)]),
            Check(
                "counts of devices", "inboxes whose number of devices is not that of their rows",
                """
                SELECT 'inbox ' || inbox.id FROM inbox
                WHERE devices <> (SELECT count(*) FROM device WHERE device.inbox = inbox.id)
                """,
                mends: [
                    """
                    UPDATE inbox SET devices = (SELECT count(*) FROM device WHERE device.inbox = inbox.id)
                    WHERE devices <> (SELECT count(*) FROM device WHERE device.inbox = inbox.id)
                    """
                ]),
            Check(
                "erasures of living people", "erasures that would remove the rows of an inbox that exists",
                "SELECT 'inbox ' || erasure.inbox FROM erasure WHERE \(has("inbox", "inbox.id = erasure.inbox"))",
                mends: ["DELETE FROM erasure WHERE \(has("inbox", "inbox.id = erasure.inbox"))"]),
            Check(
                "store epoch", "the one row from which new feeds make their epochs is missing, or is not the only one",
                "SELECT 'store_epoch' WHERE (SELECT count(*) FROM store_epoch) <> 1",
                mends: [
                    "DELETE FROM store_epoch", "INSERT INTO store_epoch (epoch) VALUES (\(dialect.newEpoch))",
                ]),
        ] + ["notification", "push_only", "change", "trail_step"].map(ownerless)
    }

    /// A person who is gone leaves rows only as long as an erasure removes them. So the erasure is begun again.
    private static func ownerless(_ table: String) -> Check {
        let condition =
            "\(lacks("inbox", "inbox.id = \(table).inbox")) AND \(lacks("erasure", "erasure.inbox = \(table).inbox"))"
        return Check(
            "\(table) without inbox", "rows of `\(table)` of nobody, which no erasure removes",
            "SELECT DISTINCT 'inbox ' || \(table).inbox FROM \(table) WHERE \(condition)",
            mends: ["INSERT INTO erasure (inbox) SELECT DISTINCT \(table).inbox FROM \(table) WHERE \(condition)"])
    }

    static func has(_ table: String, _ condition: String) -> String {
        "EXISTS (SELECT 1 FROM \(table) WHERE \(condition))"
    }

    static func lacks(_ table: String, _ condition: String) -> String { "NOT \(has(table, condition))" }

    // MARK: Notifications

    private static let notificationName = "'notification ' || notification.inbox || '.' || notification.id"

    static let notifications = [
        Check(
            "read and not seen", "notifications that were read, but not seen",
            "SELECT \(notificationName) FROM notification WHERE is_read AND NOT is_seen",
            mends: ["UPDATE notification SET is_seen = true WHERE is_read AND NOT is_seen"]),
        Check(
            "open batches", "notifications that were read, but would grow",
            "SELECT \(notificationName) FROM notification WHERE is_read AND batch_key IS NOT NULL",
            mends: ["UPDATE notification SET batch_key = NULL WHERE is_read AND batch_key IS NOT NULL"]),
        Check(
            "batches of one key", "inboxes in which two notifications would grow by one key",
            """
            SELECT 'inbox ' || notification.inbox FROM notification WHERE batch_key IS NOT NULL
            GROUP BY notification.inbox, batch_key HAVING count(*) > 1
            """,
            mends: [
                """
                UPDATE notification SET batch_key = NULL WHERE batch_key IS NOT NULL AND id < (
                    SELECT max(other.id) FROM notification AS other
                    WHERE other.inbox = notification.inbox AND other.batch_key = notification.batch_key)
                """
            ]),
        Check(
            "numbers of notifications", "notifications that changed or stand in the list before they came",
            "SELECT \(notificationName) FROM notification WHERE seq < id OR place < id OR rev < 1",
            mends: [
                "UPDATE notification SET seq = id WHERE seq < id",
                "UPDATE notification SET place = id WHERE place < id",
                "UPDATE notification SET rev = 1 WHERE rev < 1",
            ]),
        Check(
            "places in lists", "inboxes in which two notifications have one place",
            """
            SELECT 'inbox ' || notification.inbox FROM notification
            GROUP BY notification.inbox, place HAVING count(*) > 1
            """,
            mends: [
                """
                UPDATE notification SET place = id WHERE place <> id AND EXISTS (
                    SELECT 1 FROM notification AS other WHERE other.inbox = notification.inbox
                        AND other.place = notification.place AND other.id <> notification.id)
                """
            ]),
        orphans(
            "notification", without: "content", lacks("content", "content.id = notification.content"),
            named: notificationName),
    ]

    // MARK: Contents

    private static let miscountedContents = """
        FROM content LEFT JOIN (
            SELECT content, count(*) AS uses FROM (
                SELECT content FROM notification UNION ALL SELECT content FROM push_only) AS shown
            GROUP BY content) AS counted ON counted.content = content.id
        WHERE content.uses <> coalesce(counted.uses, 0) OR counted.uses IS NULL
        """

    static let contents = [
        orphans(
            "push_only", without: "content", lacks("content", "content.id = push_only.content"),
            named: "'push_only ' || push_only.inbox || '.' || push_only.id"),
        Check(
            "uses of contents", "contents that are not shown by as many notifications as they say",
            "SELECT 'content ' || content.id \(miscountedContents)",
            mends: [
                """
                UPDATE content SET uses = (SELECT count(*) FROM notification WHERE notification.content = content.id)
                    + (SELECT count(*) FROM push_only WHERE push_only.content = content.id)
                WHERE id IN (SELECT content.id \(miscountedContents))
                """, "DELETE FROM content WHERE uses <= 0",
            ]),
    ]

    // MARK: Other people's rows

    static let people = [
        orphans(
            "device", without: "inbox", lacks("inbox", "inbox.id = device.inbox"), named: "'device ' || device.row"),
        orphans(
            "topic_member", without: "topic", lacks("topic", "topic.id = topic_member.topic"),
            named: "'topic ' || topic_member.topic || ', inbox ' || topic_member.inbox"),
        orphans(
            "topic_member", without: "inbox", lacks("inbox", "inbox.id = topic_member.inbox"),
            named: "'topic ' || topic_member.topic || ', inbox ' || topic_member.inbox"),
    ]
}
