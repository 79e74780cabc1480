import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Contents, and notifications that have just come.
final class PostgresContents: PostgresPart, ContentRows {
    private let contents: TransactionContents

    init(_ rows: PostgresRows, _ contents: TransactionContents) {
        self.contents = contents
        super.init(rows)
    }

    // MARK: Looking

    func content(_ id: Int64) throws -> Content {
        if let content = contents.content(id) { return content }
        try fetch([id])
        return contents.content(id) ?? .unreadable
    }

    /// Looks up contents that are not known.
    func fetch(_ ids: [Int64]) throws {
        let unknown = Set(ids.filter { !contents.isKnown($0) })
        if unknown.isEmpty { return }
        for row in try connection.run(Content.query, [.int64s(Array(unknown))]) {
            // A damaged one is missing.
            do { contents.keep(try Content(row), as: try row.int64(Content.numberColumn)) } catch is DamagedRow {}
        }
    }

    func source(ofContent id: Int64) throws -> ContentSource? {
        if let new = contents.new(id) { return ContentSource(event: new.event, actor: new.actor) }
        return try connection.run("SELECT event, actor FROM content WHERE id = $1", [.int64(id)]).first.map { row in
            ContentSource(event: try row.text(0), actor: try row.textOrNil(1))
        }
    }

    private static let findOpenBatch = PostgresStatement(
        composed: """
            SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = $1 AND batch_key = $2 LIMIT 1
            """)

    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        if let known = rows.facts.openBatch(inbox: inbox, key: key) { return known }
        try rows.gathered.writeNotifications()
        return try connection.run(Self.findOpenBatch, [.int64(inbox), .bytes(Array(key.utf8))]).first
            .map(NotificationRecord.init)
    }

    private static let findOpenBatches = PostgresStatement(
        composed: """
            SELECT \(NotificationRecord.columns(of: "notification")), wanted.number
            FROM unnest($1, $2) WITH ORDINALITY AS wanted (inbox, key, number)
            JOIN notification ON notification.inbox = wanted.inbox AND batch_key = wanted.key
            """)

    /// Looks up open batches, and their contents.
    func fetch(_ batches: [(inbox: Int64, key: String)]) throws {
        let unknown = batches.filter { rows.facts.openBatch(inbox: $0.inbox, key: $0.key) == nil }
        guard !unknown.isEmpty else { return }
        try rows.gathered.writeNotifications()
        for batch in unknown { rows.facts.keep(openBatch: nil, inbox: batch.inbox, key: batch.key) }
        let found = try connection.run(
            Self.findOpenBatches,
            [.int64s(unknown.map(\.inbox)), .byteArrays(unknown.map { Array($0.key.utf8) })])
        var shown: [Int64] = []
        for row in found {
            let record = try NotificationRecord(row)
            // Ordinalities count from 1.
            let batch = unknown[Int(try row.int64(NotificationRecord.columnCount)) - 1]
            rows.facts.keep(openBatch: record, inbox: batch.inbox, key: batch.key)
            shown.append(record.contentID)
        }
        try fetch(shown)
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
        try contents.writeNew(on: connection, isLast: false)
        try rows.gathered.writeNotifications()
        return try connection.run(
            Self.findHighest,
            [
                .int64(inbox), .int64(0), .int64(.max), .int64(Int64(window)), .text(type),
                .bytes(Array(actor.utf8)), .int64(Int64(limit)),
            ]
        ).map(NotificationRecord.init)
    }

    // MARK: Writing

    func insert(_ content: Content, event: String, actor: String?) throws -> Int64 {
        let id = try rows.contentNumbers.next(on: connection)
        try contents.add(NewContent(id: id, content: content, event: event, actor: actor), on: connection)
        return id
    }

    func add(_ notification: NewNotification) throws {
        rows.facts.added(notification)
        rows.gathered.add(notification)
        addUses(1, ofContent: notification.record.contentID)
    }

    func addUses(_ number: Int64, ofContent id: Int64) { contents.addUses(number, to: id) }
}
