import Inbox
import Postgres
import Store

/// What one transaction knows of contents: some of them, and how many notifications show them more or less.
///
/// Many people may share a content. So its row is counted once a transaction, at the end: until the commit, nobody else
/// can count there.
final class TransactionContents {
    /// Contents never change. Many recipients of one event share a few.
    private var known = RecentCache<Int64, Content>(capacity: 256)
    /// By how much uses have changed; 0 for a new content that nothing shows yet.
    private var uses: [Int64: Int64] = [:]

    func content(_ id: Int64) -> Content? { known.value(for: id) }
    func keep(_ content: Content, as id: Int64) { known.keep(content, for: id) }
    func addUses(_ number: Int64, to id: Int64) { uses[id, default: 0] += number }

    /// Writes the changes, and deletes contents that nothing shows any more; to be called before the commit, and before
    /// anything asks for uses.
    func write(on connection: PostgresConnection) throws {
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
}
