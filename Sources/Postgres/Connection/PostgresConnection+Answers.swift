import CPostgres
import Glibc

/// Reading the pipeline's answers.
extension PostgresConnection {
    /// Ends this part of the pipeline, and reads everything that it answers.
    ///
    /// - Returns: the last statement's rows.
    /// - Throws: the first failure.
    func finish() throws(PostgresFailure) -> PostgresResult? {
        guard let session else { throw Self.isClosed }
        guard PQpipelineSync(session) == 1 else { throw lose(brokenSession()) }
        hasOutput = true
        let deadline = ContinuousClock.now + options.callTimeout
        let result = try read(until: deadline)
        // After a failure the server has skipped everything up to this answer.
        guard let answer = try nextAnswer(until: deadline) else { throw lose(brokenSession()) }
        defer { PQclear(answer) }
        guard PQresultStatus(answer) == PGRES_PIPELINE_SYNC else { throw lose(failure(in: answer, nil)) }
        // Not before: if the connection is lost, they tell whether something was to be committed.
        steps.removeAll(keepingCapacity: true)
        if let failure {
            self.failure = nil
            throw failure
        }
        return result
    }

    /// Reads the answers of what was queued so far, without committing it. Its failure is kept for the next wait.
    func makeRoom() throws(PostgresFailure) {
        guard let session else { throw Self.isClosed }
        guard PQsendFlushRequest(session) == 1 else { throw lose(brokenSession()) }
        hasOutput = true
        _ = try read(until: .now + options.callTimeout)
        steps.removeAll(keepingCapacity: true)
    }

    /// - Returns: the last statement's rows.
    /// - Throws: only if the connection is over.
    private func read(until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresResult? {
        var last: PostgresResult?
        var done = 0
        while done < steps.count {
            let step = steps[done]
            while let answer = try nextAnswer(until: deadline) {
                let status = PQresultStatus(answer)
                if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
                    last = PostgresResult(answer)
                    continue
                }
                defer { PQclear(answer) }
                try take(answer, of: step)
            }
            done += 1
        }
        return last
    }

    /// Takes in an answer that is a failure, or tells that the step was skipped.
    private func take(_ answer: OpaquePointer, of step: PipelineStep) throws(PostgresFailure) {
        if step.kind == .prepare { forget(step.statement) }
        guard PQresultStatus(answer) != PGRES_PIPELINE_ABORTED else { return }
        let failure = failure(in: answer, step.statement)
        if failure.isConnectionOver {
            // The server tells why it ends a session in order: what comes later was not done, and no commit before.
            // Only a crash of another process is told out of order, and libpq's own errors tell no order.
            let isInOrder = !failure.sqlState.isEmpty && failure.sqlState != "57P02"
            throw lose(failure, isOutcomeKnown: isInOrder && step.kind != .commit)
        }
        // The plan does not fit the tables any more, or somebody has dropped it.
        if failure.sqlState == "0A000" || failure.sqlState == "26000" { forget(step.statement) }
        if self.failure == nil { self.failure = failure }
    }

    private func failure(in answer: OpaquePointer, _ statement: PostgresStatement?) -> PostgresFailure {
        // libpq's own errors have no code.
        guard let code = field("C", of: answer) else {
            var reason = brokenSession().message
            if let own = field("M", of: answer) { reason = own }
            let isOver = hasEnded || session.map { PQstatus($0) == CONNECTION_BAD } ?? true
            return PostgresFailure(
                isOver ? .connectionLost : .other, reason, statement: statement?.text, isConnectionOver: isOver)
        }
        let severity = field("V", of: answer)
        return PostgresFailure(
            sqlState: code, message: field("M", of: answer) ?? "", constraint: field("n", of: answer),
            statement: statement?.text, isFatal: severity == "FATAL" || severity == "PANIC")
    }

    /// - Parameter name: of `PG_DIAG_…`, a character.
    private func field(_ name: Unicode.Scalar, of answer: OpaquePointer) -> String? {
        PQresultErrorField(answer, Int32(name.value)).map { String(cString: $0) }
    }

    /// The next answer, or nil at the end of a step's answers.
    private func nextAnswer(until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> OpaquePointer? {
        guard let session else { throw Self.isClosed }
        if hasOutput { flush(session) }
        while !hasEnded, PQisBusy(session) == 1 {
            let events = hasOutput ? POLLIN | POLLOUT : POLLIN
            guard let came = SocketWait.wait(for: PQsocket(session), events, until: deadline) else {
                throw lose(PostgresFailure(.timeOut, "no answer within the time-out", isConnectionOver: true))
            }
            if came & ~POLLOUT != 0, PQconsumeInput(session) == 0 { hasEnded = true }
            if hasOutput { flush(session) }
        }
        // At the socket's end, the server's last words may still be here. After them this does not wait, as libpq has
        // no socket any more.
        return PQgetResult(session)
    }

    private func flush(_ session: OpaquePointer) {
        switch PQflush(session) {
        case 0: hasOutput = false
        case 1: hasOutput = true
        // The server's last words may be here.
        default: (hasOutput, hasEnded) = (false, true)
        }
    }
}
