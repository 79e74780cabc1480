import CPostgres

extension PostgresConnection {
    /// PostgreSQL takes no longer payload.
    package static let maximumPayload = 7999

    /// Queues a notification for all that listen to a channel. They get it when the transaction is committed, and get
    /// one for several with the same payload in one transaction.
    ///
    /// - Throws: ``PostgresFailure/Meaning/other`` if the payload has more than ``maximumPayload`` bytes.
    package func notify(_ channel: String, _ payload: String) throws(PostgresFailure) {
        guard payload.utf8.count <= Self.maximumPayload else {
            throw PostgresFailure(.other, "a notification's payload has more than \(Self.maximumPayload) bytes")
        }
        try queue("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
    }

    /// Has this session listen to a channel. The name is taken as it is, capitals included.
    func listen(to channel: String) throws(PostgresFailure) {
        let name = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        try queue(PostgresStatement(composed: "LISTEN \"\(name)\""))
    }

    /// The socket, for a source that watches it; -1 after the connection's end.
    var socket: Int32 { session.map { PQsocket($0) } ?? -1 }

    /// Takes the notifications that have come, without waiting.
    ///
    /// - Throws: if the connection is over, after everything that it had brought was taken.
    func takeNotifications(into notifications: inout [PostgresNotification]) throws(PostgresFailure) {
        guard let session else { throw Self.isClosed }
        // Until there is nothing: libdispatch tells of an end only once, together with the last words before it.
        var isThere = true
        repeat { isThere = PQconsumeInput(session) == 1 } while isThere && SocketWait.isReadable(PQsocket(session))
        while let notification = PQnotifies(session) {
            defer { PQfreemem(notification) }
            notifications.append(
                PostgresNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra)))
        }
        if !isThere { throw lose(brokenSession()) }
    }
}
