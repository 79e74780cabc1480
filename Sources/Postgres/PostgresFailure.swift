/// Why PostgreSQL, or the way to it, did not do what was asked.
///
/// It holds no parameter's value and no password, so it may be logged. PostgreSQL's DETAIL, HINT and CONTEXT may quote
/// values, and are left out.
package struct PostgresFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller can make of it.
    package enum Meaning: Hashable, Sendable {
        /// The session is over, for a reason that the server did not tell.
        case connectionLost
        /// There is no session: nobody answers, or the server takes none.
        case cannotConnect
        /// A serialization failure or a deadlock: the same transaction may pass when it is tried again.
        case tryAgain
        /// A row with this key is there already; ``PostgresFailure/constraint`` says which key.
        case uniqueViolation
        /// The server, or its transaction, takes no writes: a standby, mostly after a failover.
        case readOnly
        /// The server's disk is full.
        case outOfSpace
        /// The server is going down, or an operator has ended the session.
        case shuttingDown
        /// The statement, the wait for a lock, the transaction's idleness or the call took too long.
        case timeOut
        case other
    }

    package let meaning: Meaning
    /// Five characters, as in PostgreSQL's appendix "Error Codes". Empty if libpq or this module found the fault.
    package let sqlState: String
    /// The primary message, without values.
    package let message: String
    /// The violated constraint's name.
    package let constraint: String?
    /// The text of the statement that failed. It has places for values, no values.
    package let statement: String?
    /// Whether the connection is over, and its owner needs another one.
    package private(set) var isConnectionOver: Bool
    /// Whether what was asked may have been committed all the same: the answer was lost.
    package private(set) var isUnknown = false

    package var description: String {
        let code = sqlState.isEmpty ? "" : "\(sqlState): "
        return "PostgreSQL: \(code)\(message)" + (isUnknown ? " (it may have been committed)" : "")
    }

    /// A fault that this module or libpq found.
    init(_ meaning: Meaning, _ message: String, statement: String? = nil, isConnectionOver: Bool = false) {
        (self.meaning, self.message, self.statement) = (meaning, message, statement)
        (sqlState, constraint) = ("", nil)
        self.isConnectionOver = isConnectionOver
    }

    /// An error that the server told.
    ///
    /// - Parameter isFatal: the server has ended the session with it.
    init(sqlState: String, message: String, constraint: String? = nil, statement: String? = nil, isFatal: Bool) {
        self.sqlState = sqlState
        self.message = Self.withoutValues(message, sqlState)
        (self.constraint, self.statement) = (constraint, statement)
        isConnectionOver = isFatal
        let known = Self.meaning(of: sqlState)
        meaning = known == .other && isFatal ? .connectionLost : known
    }

    /// There is no session, for the reason that libpq gives.
    ///
    /// - Parameter reason: libpq's message for a connection, at its most verbose: the code is in the text.
    init(connecting reason: String) {
        // What follows the first line are hints, and the place in the server's source.
        let line = reason.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
        let parts = line.split(separator: ": ").map { $0.drop { $0 == " " } }
        let code = parts.firstIndex(where: Self.isCode)
        sqlState = code.map { String(parts[$0]) } ?? ""
        // The severity stands before the code, and says nothing of its own.
        let told = code.map { parts[..<max(0, $0 - 1)] + parts[($0 + 1)...] } ?? parts[...]
        message = told.joined(separator: ": ")
        (constraint, statement, isConnectionOver) = (nil, nil, true)
        meaning = line.hasSuffix("session is read-only") ? .readOnly : .cannotConnect
    }

    /// The same failure of a statement whose effect nobody knows.
    var asUnknown: PostgresFailure {
        var failure = self
        failure.isUnknown = true
        return failure
    }

    /// The same failure, after which the connection was lost too.
    var asLastOne: PostgresFailure {
        var failure = self
        failure.isConnectionOver = true
        return failure
    }

    // MARK: Reading

    /// Every code has a digit, and no severity has one.
    private static func isCode(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 5 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
            && text.utf8.contains { 0x30...0x39 ~= $0 }
    }

    private static func meaning(of sqlState: String) -> Meaning {
        switch sqlState {
        case "40001", "40P01": .tryAgain
        case "23505": .uniqueViolation
        case "25006": .readOnly
        case "53100": .outOfSpace
        case "57P01", "57P02", "57P03": .shuttingDown
        // Of a statement, a lock, and a transaction that did nothing.
        case "57014", "55P03", "25P03": .timeOut
        case "57P05", "40003": .connectionLost
        case _ where sqlState.hasPrefix("08"): .connectionLost
        default: .other
        }
    }

    /// The message as far as it cannot quote a value.
    ///
    /// Messages about data quote it: `invalid input syntax for type bigint: "…"`. So do those about syntax, where a value
    /// is a search or a path. What a function of the server raises may say anything. Other messages quote names of
    /// tables, columns and constraints, which help.
    private static func withoutValues(_ message: String, _ sqlState: String) -> String {
        // Its message need not have a quotation mark before a value.
        guard sqlState != "P0001" else { return "a function raised an exception" }
        let quotes = ["22", "HV", "38", "39", "P0", "XX"].contains(sqlState.prefix(2)) || sqlState == "42601"
        guard quotes else { return message }
        let end = message.firstIndex { $0 == "\"" || $0 == ":" || $0 == "'" || $0.isNewline } ?? message.endIndex
        return trimmed(message[..<end])
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.reversed().drop { $0 == " " }.reversed())
    }
}
