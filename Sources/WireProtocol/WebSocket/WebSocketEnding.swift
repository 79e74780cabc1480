/// How a WebSocket ended.
package struct WebSocketEnding: Sendable, Hashable {
    package enum Initiator: Sendable, Hashable {
        case us
        case peer
        /// The connection was lost without a close frame from either side.
        case nobody
    }

    /// The code of the first close frame, from either side; 1005 if that had none, 1006 without a frame.
    package let code: UInt16
    /// The peer's reason, if the peer began; empty otherwise.
    package let reason: String
    /// Whether both sides have sent a close frame (RFC 6455 §7.1.4).
    package let isClean: Bool
    package let initiator: Initiator
    /// The peer's violation, if that ended the connection.
    package let violation: WebSocketViolation?
}
