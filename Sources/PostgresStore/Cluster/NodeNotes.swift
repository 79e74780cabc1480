import Cluster
import Postgres
import Push
import Store

/// Reads what every node has to hear of, and no number tells: see ``ClusterNode/notes(of:)``.
///
/// A note is a row that a transaction writes with its changes. A node reads those that it has not read. Their numbers
/// are given out before the commit, so a lower one may appear later. Transactions, however, are seen by all or not yet,
/// as a snapshot tells: the next read begins where some were still under way.
struct NodeNotes: Sendable {
    private let node: Int64
    private let providers: ProviderList
    /// The first transaction whose notes may not have been read.
    private var horizon: String
    /// The notes behind it that were read.
    private var known: Set<Int64> = []

    /// Begins with what is committed from now on.
    init(node: Int64, providers: ProviderList, on connection: PostgresConnection) throws {
        (self.node, self.providers) = (node, providers)
        horizon = try connection.run("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")[0].text(0)
    }

    /// Reads what is new, in the order of the numbers.
    ///
    /// - Parameter mayHaveMissedSome: whether notes may be gone that this node has not read: they are kept for some
    ///   minutes. Then revocations are read from their table.
    mutating func read(mayHaveMissedSome: Bool = false, on connection: PostgresConnection) throws -> [Commit] {
        let found = try connection.run(
            """
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text, note.id, note.payload
            FROM (VALUES (1)) AS always LEFT JOIN note ON note.xact >= $1::text::xid8 AND note.node <> $2
            ORDER BY note.id
            """, [.text(horizon), .int64(node)])
        var (commits, seen): ([Commit], Set<Int64>) = ([], [])
        for row in found {
            guard let id = try row.int64OrNil(1), let bytes = try row.bytesOrNil(2) else { continue }
            seen.insert(id)
            // A note of another version says nothing here.
            if !known.contains(id), let commit = try? Commit(bytes: bytes, providers: providers) {
                commits.append(commit)
            }
        }
        if mayHaveMissedSome {
            var all = Commit()
            all.revoked = try PostgresRevocations.all(on: connection)
            commits.append(all)
        }
        (horizon, known) = (try found[0].text(0), seen)
        return commits
    }

    /// Writes a note about a commit, if it needs one. To be called in its transaction.
    static func write(_ commit: Commit, by node: Int64, on connection: PostgresConnection) throws {
        guard let notes = ClusterNode.notes(of: commit) else { return }
        try connection.queue(
            "INSERT INTO note (node, payload) VALUES ($1, $2)", [.int64(node), .bytes(notes.bytes)])
    }
}
