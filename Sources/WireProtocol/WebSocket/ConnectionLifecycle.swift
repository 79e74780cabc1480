/// The closing of a WebSocket (RFC 6455 §7), begun by either side.
struct ConnectionLifecycle: Sendable {
    private indirect enum State: Sendable {
        case open
        /// This side's close frame was sent, the peer's has not come.
        case closing(code: UInt16)
        case ended(WebSocketEnding)
    }

    enum EndAction: Sendable, Hashable {
        /// Send a close frame with this code, then finish.
        case replyThenFinish(CloseFrame, WebSocketEnding)
        case finish(WebSocketEnding)
        case ignore
    }

    private var state = State.open

    /// Whether messages and pings still count: false after this side's close frame.
    var isOpen: Bool { if case .open = state { true } else { false } }
    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// This side begins to close. Returns whether to send a close frame.
    mutating func close(_ code: UInt16) -> Bool {
        guard case .open = state else { return false }
        state = .closing(code: code)
        return true
    }

    mutating func received(_ frame: CloseFrame) -> EndAction {
        switch state {
        case .open:
            let ending = WebSocketEnding(
                code: frame.code ?? 1005, reason: frame.reason, isClean: true, initiator: .peer, violation: nil)
            state = .ended(ending)
            // The same code goes back (RFC 6455 §5.5.1).
            return .replyThenFinish(CloseFrame(code: frame.code, reason: ""), ending)
        case .closing(let code):
            let ending = WebSocketEnding(code: code, reason: "", isClean: true, initiator: .us, violation: nil)
            state = .ended(ending)
            return .finish(ending)
        case .ended:
            return .ignore
        }
    }

    /// The peer broke the protocol: the connection fails (RFC 6455 §7.1.7), without waiting for a close frame.
    mutating func received(_ violation: WebSocketViolation) -> EndAction {
        switch state {
        case .open:
            let ending = WebSocketEnding(
                code: violation.closeCode, reason: "", isClean: false, initiator: .us, violation: violation)
            state = .ended(ending)
            return .replyThenFinish(CloseFrame(code: violation.closeCode, reason: violation.reason), ending)
        case .closing(let code):
            let ending = WebSocketEnding(
                code: code, reason: "", isClean: false, initiator: .us, violation: violation)
            state = .ended(ending)
            return .finish(ending)
        case .ended:
            return .ignore
        }
    }

    /// The connection below has ended. Returns how the WebSocket ended, even if that was earlier.
    mutating func transportClosed() -> WebSocketEnding {
        let ending =
            switch state {
            case .open: WebSocketEnding(code: 1006, reason: "", isClean: false, initiator: .nobody, violation: nil)
            case .closing(let code):
                WebSocketEnding(code: code, reason: "", isClean: false, initiator: .us, violation: nil)
            case .ended(let ending): ending
            }
        state = .ended(ending)
        return ending
    }
}
