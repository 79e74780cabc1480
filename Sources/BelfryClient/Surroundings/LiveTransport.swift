public import Foundation

/// Opens WebSockets for an ``Inbox``. ``URLSessionTransport`` is the one that Foundation has.
public protocol LiveTransport: Sendable {
    /// Begins to open one. Called on the inbox's actor; must not block.
    ///
    /// - Parameters:
    ///   - url: `ws` or `wss`.
    ///   - subprotocol: the only one to offer.
    ///   - listener: told of everything that happens, in its order; from any thread.
    func open(
        _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) -> any LiveSocket
}

/// One WebSocket, also before it is open.
public protocol LiveSocket: Sendable {
    /// Sends a text message. Called on the inbox's actor, after ``LiveSocketEvent/opened``; must not block.
    func send(_ text: String)
    /// Ends it, also while it is being opened. What is told after that is passed over.
    func close()
}

/// What happens to a WebSocket.
public enum LiveSocketEvent: Sendable, Hashable {
    /// The handshake is done: messages may be sent.
    case opened
    /// A whole text message.
    case received(String)
    /// The end, also of one that never was open.
    ///
    /// - Parameter code: of the server's close frame, such as 4200; nil if none came.
    case closed(code: Int?)
}
