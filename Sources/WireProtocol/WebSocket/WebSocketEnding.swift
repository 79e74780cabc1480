/// How a WebSocket ended.
package struct WebSocketEnding: Sendable, Hashable {
    package enum Initiator: Sendable, Hashable {
        case us
        case peer
        /// The connection was lost with no close frame from either side.
        case nobody
    }

    /// The code of the first close frame, ours or the peer's; 1005 where that had none, 1006 where there was no frame.
    package let code: UInt16
    /// The peer's reason, if the peer began; empty otherwise.
    package let reason: String
    /// Whether both sides have sent a close frame (RFC 6455 §7.1.4).
    package let isClean: Bool
    package let initiator: Initiator
    /// What the peer did wrong, if that was the end.
    package let violation: WebSocketViolation?
}
