/// One invariant of a store, as the query for rows that break it.
///
/// Queries and statements are texts that both engines read.
struct Check: Sendable {
    let name: String
    /// What is wrong with the rows.
    let meaning: String
    /// Selects one text: the row's name.
    let query: String
    /// Statements that mend all rows that the query finds, in this order; empty if nothing can.
    let mends: [String]

    init(_ name: String, _ meaning: String, _ query: String, mends: [String] = []) {
        (self.name, self.meaning, self.query, self.mends) = (name, meaning, query, mends)
    }

    /// All checks. A mend may leave rows that a later check, or the same in the next round, mends.
    static func all(_ dialect: Dialect, _ rules: VerificationRules) -> [Check] {
        notifications + inboxes(dialect) + contents + people + pushes(dialect) + feeds(dialect)
            + trail(keyLifetime: rules.keyLifetime) + webhooks
    }

    /// A check of rows that name a row of another table which is not there. Such rows are removed.
    ///
    /// - Parameter row: an expression for the row's name.
    static func orphans(_ table: String, without owner: String, _ condition: String, named row: String) -> Check {
        Check(
            "\(table) without \(owner)", "rows of `\(table)` whose \(owner) does not exist",
            "SELECT \(row) FROM \(table) WHERE \(condition)", mends: ["DELETE FROM \(table) WHERE \(condition)"])
    }
}
