/// Why a database cannot hold a store, for the operator to fix.
package enum UnfitDatabase: Error, Hashable, Sendable, CustomStringConvertible {
    /// The tables have steps of a later release.
    case laterTables(step: Int)
    /// A release of PostgreSQL that nobody tests, as 140009 for 14.9.
    case oldServer(version: Int)
    /// `belfry migrate` has not finished filling it.
    case unfinishedMigration
    /// `belfry epochs` has given new epochs to some of its inboxes and feeds.
    case unfinishedEpochs
    /// `belfry migrate` or `belfry epochs` works on it at this moment.
    case inMigration
    /// Names and texts need UTF-8.
    case encoding(String)

    /// The oldest release with which the tests run.
    static let oldestServer = 15

    /// - Parameters:
    ///   - version: as 150004 for 15.4.
    ///   - encoding: nil if it is not known.
    static func check(version: Int, encoding: String?) throws(UnfitDatabase) {
        guard version / 10_000 >= oldestServer else { throw .oldServer(version: version) }
        if let encoding, encoding != "UTF8" { throw .encoding(encoding) }
    }

    package var description: String {
        switch self {
        case .laterTables(let step):
            "its tables were made by a later release, step \(step) of \(Schema.steps.count): install that release"
        case .oldServer(let version):
            "the server is PostgreSQL \(version / 10_000).\(version % 10_000): expected \(Self.oldestServer) or newer"
        case .unfinishedMigration:
            "it is the unfinished copy of another store: run the same `belfry migrate` again, which continues, or empty the "
                + "database"
        case .unfinishedEpochs: "some of its inboxes have new epochs: run `belfry epochs` again, which continues"
        case .inMigration: "`belfry migrate` or `belfry epochs` works on it: start again when that has ended"
        case .encoding(let name):
            "the database keeps texts as \(name): expected one that was created with ENCODING 'UTF8'"
        }
    }
}
