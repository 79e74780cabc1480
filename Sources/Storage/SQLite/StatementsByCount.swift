import GRDB

/// The same statement for one thing and for several at once: to begin and end a statement costs SQLite as much as a
/// good part of what it does for one of them.
///
/// Belongs to the connection's queue.
final class StatementsByCount {
    private let db: Database
    private let sql: (Int) -> String
    /// By the number of things, less one; each is prepared when it is first needed.
    private var statements: [DirectStatement?]
    /// Of all of them, as one runs at a time.
    private let room: ArgumentRoom

    /// - Parameters:
    ///   - most: so many things at once, at most.
    ///   - roomEach: how many bytes the texts of one thing take.
    ///   - sql: the statement for so many.
    init(_ db: Database, most: Int, roomEach: Int = 0, sql: @escaping (Int) -> String) {
        (self.db, self.sql) = (db, sql)
        statements = [DirectStatement?](repeating: nil, count: most)
        room = ArgumentRoom(capacity: roomEach * most)
    }

    func callAsFunction(_ count: Int) throws -> DirectStatement {
        if let known = statements[count - 1] { return known }
        let statement = try DirectStatement(db, sql: sql(count), room: room)
        statements[count - 1] = statement
        return statement
    }
}
