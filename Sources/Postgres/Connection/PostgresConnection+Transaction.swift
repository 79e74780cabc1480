import CPostgres

extension PostgresConnection {
    /// Runs `body` within a transaction and commits, or undoes everything if it throws.
    ///
    /// BEGIN goes with the first statement, and COMMIT with what `body` has queued last: neither costs a round trip of
    /// its own, except for a COMMIT after a statement that was waited for.
    ///
    /// Not to be called within itself. What was queued before is settled first, on its own.
    ///
    /// - Throws: what `body` throws, or a ``PostgresFailure``. If ``PostgresFailure/isUnknown``, the commit's answer was
    ///   lost, and only the tables tell whether it took place. Otherwise nothing was committed.
    package func transaction<Value>(
        _ isolation: PostgresIsolation = .readCommitted, _ body: () throws -> Value
    ) throws -> Value {
        precondition(!isInTransaction, "A transaction within a transaction")
        try settle()
        isInTransaction = true
        defer { isInTransaction = false }
        try send(.execute, isolation.begin)
        let value: Value
        do {
            value = try body()
        } catch {
            rollBack()
            throw error
        }
        try commit()
        return value
    }

    private func commit() throws(PostgresFailure) {
        let start = ContinuousClock.now
        let answer: PostgresResult?
        do throws(PostgresFailure) {
            try send(.commit, "COMMIT")
            answer = try finish()
        } catch {
            rollBack()
            throw error
        }
        // So it answers where a statement has failed, and `body` went on.
        guard answer?.tag == "COMMIT" else {
            throw PostgresFailure(
                sqlState: "25P02", message: "the transaction had failed, and was undone", isFatal: false)
        }
        lastCommit = .now - start
    }

    /// Undoes the transaction; the connection is over if that is impossible.
    private func rollBack() {
        // The first may be skipped: a statement that was queued before it has failed.
        for _ in 0..<2 where isOpen && isWithinServersTransaction {
            do throws(PostgresFailure) {
                try send(.execute, "ROLLBACK")
                _ = try finish()
            } catch {
                continue
            }
        }
        if isOpen, isWithinServersTransaction { close() }
    }

    /// Unknown until the pipeline's answers are read, so that counts as well.
    private var isWithinServersTransaction: Bool {
        guard let session else { return false }
        return !steps.isEmpty || PQtransactionStatus(session) != PQTRANS_IDLE
    }
}
