package import WireProtocol

/// What a WebSocket's messages mean; called on the connection's shard, and not any more once it is closing, except for
/// ``closed(_:_:)``.
package protocol WebSocketHandler: AnyObject {
    /// How large a message may be, inflated; at most 2 GiB.
    var maximumMessageBytes: Int { get }
    var acceptsBinary: Bool { get }
    /// How messages to the peer are compressed where the handshake agreed on it; nil sends them plain. A client offers
    /// compression if it has some.
    var deflateSettings: DeflateSettings? { get }
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
    package var deflateSettings: DeflateSettings? { nil }
    package func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) {}
}
