package import WireProtocol

/// Gives a WebSocket's messages their meaning; called on the connection's shard. While the connection is closing, only
/// ``closed(_:_:)`` is called.
package protocol WebSocketHandler: AnyObject {
    /// The longest message, inflated; at most 2 GiB.
    var maximumMessageBytes: Int { get }
    var acceptsBinary: Bool { get }
    /// The compression of messages to the peer, if the handshake agreed on it; nil sends them plain. A client with
    /// settings offers compression.
    var deflateSettings: DeflateSettings? { get }
    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard)
    /// Valid UTF-8. The bytes are gone after the call; at least ``Shard/inputPadding`` bytes behind them can be read.
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
