/// A store that a migration reads or fills, while nobody else uses it.
///
/// Its calls block the thread that made it.
package protocol MigrationEnd {
    /// How people know it, without a password.
    var name: String { get }

    // MARK: Reading

    /// The epoch of feeds that begin: no two stores have the same, except for copies.
    func epoch() throws -> String

    /// No new inbox may get a number up to this.
    func lastInbox() throws -> Int64

    /// Rows behind a key that an earlier batch of this end ended with, or the first rows.
    func batch(of table: MigratedTable, after key: [Cell]?, limit: Int) throws -> RowBatch

    /// - Throws: if somebody has used the store since it was opened.
    func checkUnused() throws

    // MARK: Filling

    /// Marks the store as unfinished, so that no server opens it. It may be marked already.
    ///
    /// - Parameter epoch: the source's ``epoch()``.
    /// - Throws: ``MigrationProblem`` if it has rows of its own, or is the unfinished copy of another store.
    func begin(epoch: String) throws

    /// How far an earlier run has come.
    func place(of table: MigratedTable) throws -> TablePlace

    /// Adds rows and notes how far the copy is, in one transaction.
    func write(_ rows: [[Cell]], of table: MigratedTable, then place: TablePlace) throws

    /// Makes what is not copied, from all that is. May be repeated.
    ///
    /// - Parameter lastInbox: the source's ``lastInbox()``.
    func complete(lastInbox: Int64) throws

    /// Takes the mark away: a server may open the store. On the disk when this returns.
    func finish() throws
}
