import Deliveries
import GRDB
import Inbox
import ReferenceStore
import Store

@testable import SQLiteStore

/// The reference engine and SQLite, which follow the same rules and have to do the same.
final class TwoEngines {
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    /// Undoes what both have done.
    struct Undo: Error, Hashable {}

    /// The settings of the rules.
    let options: StoreOptions
    private let db: Database
    private let reference: MemoryWriter
    private let sqlite: SQLiteWriter

    init(_ db: Database, _ options: () -> SQLiteStoreOptions) throws {
        self.db = db
        let epoch = try String.fetchOne(db, sql: "SELECT epoch FROM store_epoch") ?? ""
        let settings = options()
        self.options = settings.store
        let rows = MemoryRows(
            epoch: epoch, changeLogLength: settings.changeLogLength, maximumDevices: settings.maximumDevices)
        reference = MemoryWriter(rows, options: settings.store, cachedInboxes: settings.cachedInboxes)
        sqlite = try SQLiteWriter(db, options: options())
    }

    /// Performs a transaction in both, and compares their answers and commits.
    func commit<Answer>(_ body: (OpenTransaction) throws -> Answer) throws -> Answer {
        let (known, found) = (Result { try reference.commit(body) }, Result { try sqlite.commit(body) })
        try compare(wholeText(of: known), wholeText(of: found))
        return try known.get().answer
    }

    /// Performs a transaction in both that is undone, and compares their answers.
    func rehearse<Answer>(_ body: (OpenTransaction) throws -> Answer) throws {
        let known = Result { try reference.rehearse(body) }
        let found = Result { try sqlite.rehearse(body) }
        try compare(wholeText(of: known), wholeText(of: found))
    }

    /// Reads in both, and compares the answers.
    func read<Answer>(_ body: (any StoreReads) throws -> Answer) throws {
        let (known, found) = (Result { try body(reference.reads) }, Result { try body(sqlite.reads) })
        try compare(wholeText(of: known), wholeText(of: found))
    }

    func forget() throws {
        reference.forget()
        try sqlite.forget()
    }

    func crash() throws {
        reference.crash()
        try sqlite.crash()
    }

    /// Compares all rows.
    func compareRows() throws {
        let (known, found) = (reference.rows.state.rowsByTable, try db.rowsByTable())
        for (table, rows) in known { try compare(rows, found[table] ?? [], in: table) }
    }

    private func compare(_ known: [String], _ found: [String], in table: String) throws {
        if known == found { return }
        let (missing, surplus) = (Set(known).subtracting(found), Set(found).subtracting(known))
        throw Difference(
            description: """
                table \(table)
                  only the reference has: \(missing.sorted())
                  only SQLite has:        \(surplus.sorted())
                """)
    }

    private func compare(_ known: String, _ found: String) throws {
        if known == found { return }
        let same = zip(known, found).prefix { $0 == $1 }.count
        let from = max(0, same - 300)
        throw Difference(
            description: """
                  reference: …\(known.dropFirst(from).prefix(700))
                  SQLite:    …\(found.dropFirst(from).prefix(700))
                """)
    }
}
