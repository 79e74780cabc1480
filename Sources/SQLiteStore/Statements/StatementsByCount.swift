import GRDB

/// The same statement for one thing and for several at once: beginning and ending a statement costs SQLite a good part
/// of the work for one thing.
///
/// Belongs to the connection's queue.
final class StatementsByCount {
    private let db: Database
    private let sql: (Int) -> String
    /// By the number of things, less one; each is prepared when first needed.
    private var statements: [Statement?]
    /// Shared, as one statement runs at a time.
    private let room: ArgumentRoom

    /// - Parameters:
    ///   - most: the most things at once.
    ///   - roomEach: how many bytes the texts of one thing take.
    ///   - sql: makes the statement for a number of things.
    init(_ db: Database, most: Int, roomEach: Int = 0, sql: @escaping (Int) -> String) {
        (self.db, self.sql) = (db, sql)
        statements = [Statement?](repeating: nil, count: most)
        room = ArgumentRoom(capacity: roomEach * most)
    }

    func callAsFunction(_ count: Int) throws -> Statement {
        if let known = statements[count - 1] { return known }
        let statement = try Statement(db, sql: sql(count), room: room)
        statements[count - 1] = statement
        return statement
    }
}
