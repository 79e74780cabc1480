package import Postgres

/// How nodes that share a database hear of each other's commits.
package enum WakeUps: Sendable, Hashable {
    /// By LISTEN, on a connection of its own.
    /// - Parameter address: of that connection, where the store's does not lead to the server itself, such as behind
    ///   PgBouncer in transaction mode; nil for the store's.
    case listen(PostgresAddress?)
    /// By asking so often, where LISTEN is not to be had.
    case poll(Duration)
}
