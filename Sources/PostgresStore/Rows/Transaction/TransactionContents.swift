import Inbox
import JSON
import Postgres
import Store

/// What one transaction knows of contents: some of them, those that are not written yet, and how many notifications show
/// them more or less.
///
/// Many people may share a content. So its row is counted once a transaction, at the end: until the commit, nobody else
/// can count there.
final class TransactionContents {
    /// Contents never change. Many recipients of one event share a few.
    private var known = RecentCache<Int64, Content>(capacity: 4_096)
    private var new: [NewContent] = []
    /// Their places in `new`.
    private var places: [Int64: Int] = [:]
    /// By how much uses have changed; 0 for a written content that nothing may show.
    private var uses: [Int64: Int64] = [:]
    /// Texts of more contents are not kept until the commit.
    private static let mostNew = 1_000

    func content(_ id: Int64) -> Content? { places[id].map { new[$0].content } ?? known.value(for: id) }
    func isKnown(_ id: Int64) -> Bool { content(id) != nil }
    func new(_ id: Int64) -> NewContent? { places[id].map { new[$0] } }
    func keep(_ content: Content, as id: Int64) { known.keep(content, for: id) }
    func addUses(_ number: Int64, to id: Int64) { uses[id, default: 0] += number }

    func add(_ content: NewContent, on connection: PostgresConnection) throws {
        if new.count >= Self.mostNew { try writeNew(on: connection, isLast: false) }
        places[content.id] = new.count
        new.append(content)
    }

    /// Writes everything, and deletes contents that nothing shows any more; to be called before the commit, and before
    /// anything asks for uses.
    func write(on connection: PostgresConnection) throws {
        try writeNew(on: connection, isLast: true)
        guard !uses.isEmpty else { return }
        let ids = uses.keys.sorted()
        let counted = ids.filter { uses[$0] != 0 }
        // Two transactions that lock the same rows in different orders would wait for each other.
        try connection.queue("SELECT FROM content WHERE id = ANY($1) ORDER BY id FOR UPDATE", [.int64s(ids)])
        if !counted.isEmpty {
            try connection.queue(
                """
                UPDATE content SET uses = uses + change.number FROM unnest($1, $2) AS change (id, number)
                WHERE content.id = change.id
                """,
                [.int64s(counted), .int64s(counted.map { uses[$0] })])
        }
        let fewer = ids.filter { uses[$0] ?? 0 <= 0 }
        if !fewer.isEmpty {
            try connection.queue("DELETE FROM content WHERE id = ANY($1) AND uses <= 0", [.int64s(fewer)])
        }
        uses.removeAll()
    }

    /// Writes the new contents, each with the uses so far; to be called before anything reads the table itself.
    ///
    /// - Parameter isLast: whether nothing will show a content that nothing shows by now. Such a one gets no row.
    func writeNew(on connection: PostgresConnection, isLast: Bool) throws {
        guard !new.isEmpty else { return }
        let rows = new.map { (row: $0, uses: uses[$0.id] ?? 0) }.filter { !isLast || $0.uses > 0 }
        for row in new {
            // One that nothing shows in the end goes then.
            if !isLast, uses[row.id] ?? 0 <= 0 { uses[row.id] = 0 } else { uses[row.id] = nil }
            known.keep(row.content, for: row.id)
        }
        new.removeAll()
        places.removeAll()
        guard !rows.isEmpty else { return }
        try connection.queue(
            """
            INSERT INTO content (id, event, type, text, body, batch, push, actor, group_name, group_text, uses)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .int64s(rows.map(\.row.id)), .texts(rows.map(\.row.event)), .texts(rows.map(\.row.content.type)),
                .byteArrays(rows.map { Array($0.row.content.displayText.utf8) }),
                .byteArrays(rows.map(\.row.content.body)),
                .byteArrays(rows.map { $0.row.content.batch?.json.encoded }),
                .byteArrays(rows.map { $0.row.content.sharedPush?.content.encoded }),
                .byteArrays(rows.map { $0.row.actor.map { Array($0.utf8) } }),
                .byteArrays(rows.map { $0.row.content.group.map { Array($0.utf8) } }),
                .byteArrays(rows.map { $0.row.content.groupText?.encoded }), .int64s(rows.map(\.uses)),
            ])
    }
}
