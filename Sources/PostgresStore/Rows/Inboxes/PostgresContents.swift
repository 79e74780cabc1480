import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Contents, and notifications that have just come.
final class PostgresContents: PostgresPart, ContentRows {
    private let contents: TransactionContents
    /// Whether what is counted is written with the whole transaction's, by its owner.
    private let isGathered: Bool

    /// Counts where the whole transaction does.
    init(_ rows: PostgresRows, _ contents: TransactionContents) {
        (self.contents, isGathered) = (contents, true)
        super.init(rows)
    }

    // MARK: Looking

    func content(_ id: Int64) throws -> Content {
        if let content = contents.content(id) { return content }
        guard let row = try connection.run(Content.query, [.int64(id)]).first else { return .unreadable }
        let content: Content
        do { content = try Content(row) } catch is DamagedRow { return .unreadable }
        contents.keep(content, as: id)
        return content
    }

    func source(ofContent id: Int64) throws -> ContentSource? {
        try connection.run("SELECT event, actor FROM content WHERE id = $1", [.int64(id)]).first.map { row in
            ContentSource(event: try row.text(0), actor: try row.textOrNil(1))
        }
    }

    private static let findOpenBatch = PostgresStatement(
        composed: """
            SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = $1 AND batch_key = $2 LIMIT 1
            """)

    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        try connection.run(Self.findOpenBatch, [.int64(inbox), .bytes(Array(key.utf8))]).first
            .map(NotificationRecord.init)
    }

    private static let findHighest = PostgresStatement(
        composed: """
            SELECT * FROM (
                \(NotificationRecord.listed(NotificationRecord.columns)) LIMIT $4
            ) AS listed
            WHERE EXISTS (
                SELECT FROM content WHERE content.id = listed.content AND content.type = $5 AND content.actor = $6)
            ORDER BY place DESC LIMIT $7
            """)

    func highest(
        _ limit: Int, of type: String, by actor: String, inbox: Int64, window: Int
    ) throws -> [NotificationRecord] {
        try connection.run(
            Self.findHighest,
            [
                .int64(inbox), .int64(0), .int64(.max), .int64(Int64(window)), .text(type),
                .bytes(Array(actor.utf8)), .int64(Int64(limit)),
            ]
        ).map(NotificationRecord.init)
    }

    // MARK: Writing

    func insert(_ content: Content, event: String, actor: String?) throws -> Int64 {
        let new = try connection.run(
            """
            INSERT INTO content (event, type, text, body, batch, push, actor, group_name, group_text)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id
            """,
            [
                .text(event), .text(content.type), .bytes(Array(content.displayText.utf8)), .bytes(content.body),
                .bytes(content.batch?.json.encoded), .bytes(content.sharedPush?.content.encoded),
                .bytes(actor.map { Array($0.utf8) }), .bytes(content.group.map { Array($0.utf8) }),
                .bytes(content.groupText?.encoded),
            ])
        let id = try new[0].int64(0)
        contents.keep(content, as: id)
        if isGathered { contents.addUses(0, to: id) }
        return id
    }

    func add(_ notification: NewNotification) throws {
        let (record, marks) = (notification.record, notification.marks)
        try connection.queue(
            """
            INSERT INTO notification (
                inbox, id, content, created_at, stored_at, rev, seq, unread_after, unseen_after, place, type_mark,
                group_mark, batch_key)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            [
                .int64(notification.inbox), .int64(record.id), .int64(record.contentID),
                .int64(record.createdAt.milliseconds), .int64(notification.storedAt.milliseconds), .int64(record.rev),
                .int64(record.seq), .int64(record.unreadAfter), .int64(record.unseenAfter), .int64(record.place),
                .int64(marks.type), .int64(marks.group), .bytes(notification.batchKey.map { Array($0.utf8) }),
            ])
        addUses(1, ofContent: record.contentID)
    }

    func addUses(_ number: Int64, ofContent id: Int64) {
        contents.addUses(number, to: id)
        // It fails only if the connection is over, and then nothing of the transaction is committed.
        if !isGathered { try? contents.write(on: connection) }
    }
}
