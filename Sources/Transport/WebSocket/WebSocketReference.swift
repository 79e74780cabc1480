/// Names a WebSocket outside its shard.
package struct WebSocketReference: Sendable {
    let shard: Shard
    let connection: ConnectionID

    /// Calls `body` on the WebSocket's shard, unless it has closed by then.
    package func post(_ body: @escaping @Sendable (any WebSocketHandler, borrowing OnShard) -> Void) {
        shard.post { on in
            guard let webSocket = on.shard.connection(connection, on)?.handler as? WebSocketConnection else { return }
            body(webSocket.handler, on)
        }
    }
}
