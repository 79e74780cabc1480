/// What a transaction sees of others (PostgreSQL, "Transaction Isolation").
package enum PostgresIsolation: Hashable, Sendable {
    /// Each statement sees what was committed before it began.
    case readCommitted
    /// All statements see what was committed before the first one. A write to a row that somebody else has changed
    /// since then fails with ``PostgresFailure/Meaning/tryAgain``.
    case repeatableRead
    /// One moment for all reads; writes fail with ``PostgresFailure/Meaning/readOnly``.
    case snapshot

    var begin: PostgresStatement {
        switch self {
        case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
        case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        }
    }
}
