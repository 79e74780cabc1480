/// How long a connection's calls may take, and what the server is told about them.
package struct PostgresOptions: Hashable, Sendable {
    /// Shown in the server's lists of sessions, unless the address has another.
    package var applicationName = "belfry"
    /// For all hosts of the address together; each has an equal share of what is left.
    package var connectTimeout = Duration.seconds(5)
    /// For each call of a connection that waits. Longer than ``statementTimeout``, so that the server answers first:
    /// a connection whose call takes longer is given up.
    package var callTimeout = Duration.seconds(30)
    /// The server ends a statement that takes longer.
    package var statementTimeout = Duration.seconds(20)
    /// The server ends a statement that waits longer for a lock.
    package var lockTimeout = Duration.seconds(5)
    /// The server ends a session that does nothing for longer within a transaction: others may wait for its locks. A
    /// process that is stopped, or whose path is cut, would keep these. One that goes on tries the transaction again.
    package var idleInTransactionTimeout = Duration.seconds(3)
    /// Whether all statements are to use indexes.
    package var plansByIndexes = false

    /// Every statement looks rows up by an index. In a table that has just grown, or is small, the planner reads all of it
    /// instead, and may plan that anew each time. Compiling a plan takes longer than carrying it out.
    private var planning: [(String, String)] {
        guard plansByIndexes else { return [] }
        return [
            ("plan_cache_mode", "force_generic_plan"), ("enable_seqscan", "off"), ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"), ("jit", "off"),
        ]
    }

    package init() {}

    /// For libpq's `options`: set before the first statement, without a round trip.
    var startup: String {
        let settings =
            [
                ("statement_timeout", "\(statementTimeout.milliseconds)"),
                ("lock_timeout", "\(lockTimeout.milliseconds)"),
                ("idle_in_transaction_session_timeout", "\(idleInTransactionTimeout.milliseconds)"),
                // Nobody reads notices, and they may quote values.
                ("client_min_messages", "error"),
            ] + planning
        return settings.map { "-c \($0.0)=\($0.1)" }.joined(separator: " ")
    }
}

extension Duration {
    /// Rounded up, so that nobody wakes a moment too early.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
