/// Why a store cannot be migrated, for the operator to fix. No text quotes a value of a row.
package enum MigrationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// - expected: what should be there.
    case noStore(at: String, expected: String)
    /// Nodes have the database open, by their names.
    case inUse(at: String, nodes: [String])
    /// Another migration has the database.
    case busy(at: String)
    /// The target has rows that are not of this migration.
    case notEmpty(at: String, table: String)
    /// The target is the unfinished copy of another store.
    case otherSource(at: String)
    /// The source is itself an unfinished copy.
    case unfinishedSource(at: String)
    /// A server was started while rows were read or written.
    case usedMeanwhile(at: String)
    /// A server was started while epochs were renewed.
    case startedMeanwhile(at: String)
    /// `belfry epochs` has not ended there.
    case unfinishedEpochs(at: String)
    /// The end of a log cannot be read.
    case damagedLog(path: String)
    /// A row cannot be read, or cannot be kept by the other engine.
    case damagedRow(at: String, table: String, reason: String)
    /// SQLite's own words.
    case database(path: String, code: Int, message: String)

    package var description: String {
        switch self {
        case .noStore(let place, let expected): "there is no store in \(place): expected \(expected)"
        case .inUse(let place, let nodes):
            "\(place) is in use by \(nodes.joined(separator: ", ")): stop all nodes; one that was killed counts for ten "
                + "more seconds"
        case .busy(let place): "another `belfry migrate` or `belfry epochs` uses \(place): wait until it has ended"
        case .notEmpty(let place, let table):
            "\(place) has a store already (rows in the table \(table)): expected an empty database or folder, or an "
                + "unfinished migration of the same store. To compare the two, give --verify"
        case .otherSource(let place):
            "\(place) has an unfinished migration of another store: finish that one, or empty \(place) (docs/cluster.md, "
                + "\"Moving up, and back\")"
        case .unfinishedSource(let place):
            "\(place) is itself an unfinished copy: finish that migration first, or copy from its source"
        case .usedMeanwhile(let place):
            "a server has used \(place) during the migration: stop it, empty the target and begin again"
        case .startedMeanwhile(let place):
            "a server was started on \(place) meanwhile: stop it, and run the same command again"
        case .unfinishedEpochs(let place):
            "some inboxes of \(place) have new epochs, and others have not: run `belfry epochs` there first"
        case .damagedLog(let path):
            "the end of \(path)-wal is damaged: start the server once, which tells what is lost (docs/operations.md, \"A "
                + "damaged store\")"
        case .damagedRow(let place, let table, let reason):
            "\(place): a row of the table \(table) cannot be copied: \(reason) (docs/operations.md, \"A damaged row\")"
        case .database(let path, let code, let message): "\(path): SQLite error \(code), \(message)"
        }
    }
}
