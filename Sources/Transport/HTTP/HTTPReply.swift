package import WireProtocol

/// The way to answer one request. Used once; an answer for a closed connection is dropped.
package struct HTTPReply: Sendable {
    let shard: Shard
    let connection: ConnectionID
    /// Tells the requests of one connection apart.
    let serial: UInt64
    #if DEBUG
        var check: @Sendable (HTTPResponse) -> Void = { _ in }
    #endif

    #if DEBUG
        /// The same; `check` sees the answer before it is sent.
        package func checking(_ check: @escaping @Sendable (HTTPResponse) -> Void) -> HTTPReply {
            var reply = self
            reply.check = check
            return reply
        }
    #endif

    /// From any thread.
    package func send(_ response: HTTPResponse) {
        shard.post { on in send(response, on) }
    }

    /// Runs `body` on the connection's shard, to make the answer there. From any thread.
    package func post(_ body: @escaping @Sendable (borrowing OnShard) -> Void) { shard.post(body) }

    /// Runs `body` with the connection if this request is still its last one.
    func withConnection(_ on: borrowing OnShard, _ body: (HTTPConnection) -> Void) {
        guard let http = shard.connection(connection, on)?.handler as? HTTPConnection, http.serial == serial else {
            return
        }
        body(http)
    }

    /// On the connection's shard.
    package func send(_ response: HTTPResponse, _ on: borrowing OnShard) {
        #if DEBUG
            check(response)
        #endif
        guard let connection = shard.connection(connection, on) else { return }
        (connection.handler as? HTTPConnection)?.reply(response, serial: serial, on)
    }
}
