public import Foundation

/// Opens WebSockets for an ``Inbox``. ``URLSessionTransport`` uses Foundation's.
public protocol LiveTransport: Sendable {
    /// Begins to open a WebSocket. Called on the inbox's actor; must not block.
    ///
    /// - Parameters:
    ///   - url: `ws` or `wss`.
    ///   - subprotocol: the only one to offer.
    ///   - listener: called with all events, in order; from any thread.
    func open(
        _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) -> any LiveSocket
}

/// One WebSocket, open or still opening.
public protocol LiveSocket: Sendable {
    /// Sends a text message. Called on the inbox's actor, after ``LiveSocketEvent/opened``; must not block.
    func send(_ text: String)
    /// Closes the socket, even while it is opening. Later events are ignored.
    func close()
}

/// An event of a WebSocket.
public enum LiveSocketEvent: Sendable, Hashable {
    /// The handshake has succeeded: messages may be sent.
    case opened
    /// A complete text message.
    case received(String)
    /// The end, even of a socket that never opened.
    ///
    /// - Parameter code: the code of the server's close frame, such as 4200; nil without one.
    case closed(code: Int?)
}
