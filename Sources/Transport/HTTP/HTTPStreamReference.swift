/// Names a streamed exchange outside its shard.
package struct HTTPStreamReference: Sendable {
    let shard: Shard
    let connection: ConnectionID
    let serial: UInt64

    /// Calls `body` on the shard, unless the exchange has ended by then.
    package func post(_ body: @escaping @Sendable (any HTTPStreamHandler, borrowing OnShard) -> Void) {
        shard.post { on in
            let connection = on.shard.connection(connection, on)?.handler as? HTTPConnection
            if let handler = connection?.streamHandler(serial: serial) { body(handler, on) }
        }
    }
}
