package import Migration

/// A store that `belfry verify` checks. Its calls block the thread that made it.
package protocol VerifiedStore {
    /// How people know it, without a password.
    var name: String { get }
    var dialect: Dialect { get }

    /// Runs `body` with the store as of one moment. A server may go on.
    ///
    /// - Throws: ``VerificationProblem`` if the store cannot be checked.
    func atOneMoment<Value>(_ body: (any StoreMoment) throws -> Value) throws -> Value

    /// Runs statements in one transaction, while no server uses the store.
    func mend(_ statements: [String]) throws

    /// Brings a sound store that was opened to be mended to this version's form, where that takes long.
    func finishMending() throws

    /// What the error says of damage, without any value; nil for another error.
    func damage(in error: any Error) -> String?
}

/// A store as of one moment.
package protocol StoreMoment {
    /// The checks that only this engine has: of its files, tables and indexes, and of rows that no other engine has.
    ///
    /// - Parameter progress: gets what is being checked.
    func ownFindings(_ progress: (String) -> Void) throws -> [Finding]

    /// Passes all rows of a table to `body`, with their keys; nil for a row with a value of another type.
    func visit(_ table: MigratedTable, _ body: (_ key: [Cell], _ row: [Cell]?) throws -> Void) throws

    /// Passes the rows of a query to `body`.
    ///
    /// - Parameter kinds: those of the query's columns.
    func visit(_ sql: String, _ kinds: [MigratedTable.Column.Kind], _ body: ([Cell]) throws -> Void) throws
}
