package import WireProtocol

/// What a WebSocket's messages mean; called on the connection's shard.
package protocol WebSocketHandler: AnyObject {
    /// How large a message may be.
    var maximumMessageBytes: Int { get }
    var acceptsBinary: Bool { get }
    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard)
    /// Valid UTF-8. The bytes are gone after the call; behind them at least ``Shard/inputPadding`` bytes can be read.
    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard)
    /// The bytes are gone after the call.
    func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard)
    /// The peer sent a ping or a pong.
    func isAlive(_ on: borrowing OnShard)
    func deadlineReached(_ on: borrowing OnShard)
    func outputBlocked(_ on: borrowing OnShard)
    func outputDrained(_ on: borrowing OnShard)
    /// The last call.
    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard)
}

extension WebSocketHandler {
    package var acceptsBinary: Bool { false }
    package func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) {}
}
