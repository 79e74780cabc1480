import CPostgres

/// One session with PostgreSQL.
///
/// It is not `Sendable`: it lives on the queue or thread that made it, and its calls block there. None blocks for longer
/// than ``PostgresOptions/callTimeout``. A call that takes longer, or a lost connection, is the end of it
/// (``isOpen``). Its owner then makes another one, which knows none of its statements.
///
/// Statements go through libpq's pipeline: ``queue(_:_:)`` sends without waiting, ``run(_:_:)`` waits. Outside of a
/// transaction, what was queued since the last wait is one transaction of its own: all or nothing.
package final class PostgresConnection {
    /// How many answers may wait to be read; beyond, ``queue(_:_:)`` reads them first.
    static let maximumSteps = 2000

    /// The `PGconn`; nil after the connection has ended.
    private(set) var session: OpaquePointer?
    let options: PostgresOptions
    private var statements = PreparedStatements()
    private var parameters = ParameterBuffer()
    /// What was sent since the last wait ended.
    var steps: [PipelineStep] = []
    /// The first failure since the last wait; what came after it was skipped.
    var failure: PostgresFailure?
    /// Within ``transaction(_:_:)``.
    var isInTransaction = false
    /// How long the last COMMIT took that succeeded, with what was queued right before it.
    package internal(set) var lastCommit = Duration.zero
    /// Whether libpq holds something that the socket did not take yet.
    var hasOutput = false
    /// The socket has ended. What it had brought can still be read.
    var hasEnded = false

    /// Blocks the caller until there is a session.
    ///
    /// - Throws: ``PostgresFailure/Meaning/cannotConnect``, or ``PostgresFailure/Meaning/readOnly`` if only servers
    ///   answered that take no writes.
    package init(_ address: PostgresAddress, _ options: PostgresOptions = .init()) throws(PostgresFailure) {
        self.options = options
        session = try SessionOpening(address: address, options: options).open()
    }

    deinit { close() }

    /// Whether it can still be used.
    package var isOpen: Bool { session != nil }

    /// Whether the server has sent something that nobody waits for: mostly that it has ended the session.
    var hasUnaskedInput: Bool {
        guard let session, steps.isEmpty else { return false }
        return SocketWait.isReadable(PQsocket(session))
    }

    /// The server's process for this session; 0 after its end.
    package var serverProcess: Int32 { session.map { PQbackendPID($0) } ?? 0 }

    /// The server's release, as 150004 for 15.4; 0 after the session's end.
    package var serverVersion: Int { session.map { Int(PQserverVersion($0)) } ?? 0 }

    /// How the server keeps texts; nil after the session's end.
    package var serverEncoding: String? {
        session.flatMap { PQparameterStatus($0, "server_encoding") }.map { String(cString: $0) }
    }

    /// Ends the session. A transaction that is open is undone by the server.
    package func close() {
        guard let session else { return }
        self.session = nil
        steps = []
        PQfinish(session)
    }

    // MARK: Statements

    /// Sends a statement and waits for its rows, and for the answers to everything that was queued before.
    ///
    /// - Throws: the failure of this statement, or of the first queued one that failed.
    @discardableResult
    package func run(
        _ statement: PostgresStatement, _ values: [PostgresValue] = []
    ) throws(PostgresFailure) -> PostgresResult {
        try send(.execute, statement, values)
        guard let result = try finish() else {
            throw PostgresFailure(.other, "the statement gave no answer", statement: statement.text)
        }
        return result
    }

    /// Sends a statement without waiting. It leaves with the next call that waits, or when 64 KiB have come together.
    ///
    /// - Throws: if the connection is over. The statement's own failure comes with the next ``run(_:_:)`` or
    ///   ``settle()``.
    package func queue(
        _ statement: PostgresStatement, _ values: [PostgresValue] = []
    ) throws(PostgresFailure) {
        try send(.execute, statement, values)
        if steps.count >= Self.maximumSteps { try makeRoom() }
    }

    /// Waits for the answers to everything that was queued.
    ///
    /// - Throws: the failure of the first queued statement that failed.
    package func settle() throws(PostgresFailure) {
        guard !steps.isEmpty || failure != nil else { return }
        _ = try finish()
    }

    // MARK: Sending

    /// Puts a statement into the pipeline, and prepares it before if need be.
    func send(
        _ kind: PipelineStep.Kind, _ statement: PostgresStatement, _ values: [PostgresValue] = []
    ) throws(PostgresFailure) {
        guard let session else { throw Self.isClosed }
        parameters.encode(values)
        let types = parameters.types
        var isSent = true
        let place = statements.place(of: statement.text, types)
        if case .new(let name) = place {
            isSent = PQsendPrepare(session, name, statement.text, Int32(types.count), types) == 1
            steps.append(PipelineStep(kind: .prepare, statement: statement))
        }
        // Before it is known whether it could be sent: a part may have left all the same.
        steps.append(PipelineStep(kind: kind, statement: statement))
        if isSent {
            let outcome = parameters.withArguments { count, values, lengths, formats in
                switch place {
                case .prepared(let name), .new(let name):
                    PQsendQueryPrepared(session, name, count, values, lengths, formats, 1)
                case .unnamed:
                    PQsendQueryParams(session, statement.text, count, types, values, lengths, formats, 1)
                }
            }
            isSent = outcome == 1
        }
        guard isSent else { throw lose(brokenSession()) }
    }

    /// Forgets that a statement is prepared.
    func forget(_ statement: PostgresStatement) { statements.forget(statement.text) }

    // MARK: Ends

    static let isClosed = PostgresFailure(.connectionLost, "the connection is closed", isConnectionOver: true)

    /// What libpq says of a session that does not work any more. Its own lines hold no values. Those of the server may
    /// stand among them, after a severity and two spaces, and are left out.
    func brokenSession() -> PostgresFailure {
        let reason = session.map { String(cString: PQerrorMessage($0)) } ?? ""
        let line = reason.split(whereSeparator: \.isNewline).first { !$0.contains(":  ") }.map(String.init)
        return PostgresFailure(.connectionLost, line ?? "the connection is lost", isConnectionOver: true)
    }

    /// Ends the session because of a failure, and returns what to throw: the failure, or an earlier one that the server
    /// told.
    ///
    /// - Parameter isOutcomeKnown: the server has told that nothing was committed. Otherwise the outcome is unknown if
    ///   something was on its way that commits: outside of a transaction, that is everything.
    func lose(_ reason: PostgresFailure, isOutcomeKnown: Bool = false) -> PostgresFailure {
        let told = failure
        let commits = isInTransaction ? steps.contains { $0.kind == .commit } : !steps.isEmpty
        failure = nil
        close()
        if let told { return told.asLastOne }
        return commits && !isOutcomeKnown ? reason.asUnknown : reason
    }
}
