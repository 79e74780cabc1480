import WireProtocol

@testable import Transport

/// Writes down what a WebSocket tells, then does what the test wants done about it.
final class RecordingWebSocket: WebSocketHandler {
    enum Event: Hashable, Sendable {
        case text([UInt8])
        case binary([UInt8])
        /// A ping or a pong.
        case alive
        case deadlineReached
        case outputBlocked
        case outputDrained
        case closed(WebSocketEnding)
    }

    typealias Reaction = @Sendable (Event, WebSocketConnection, borrowing OnShard) -> Void

    let maximumMessageBytes = 512 << 10
    let deflateSettings: DeflateSettings?
    private let journal: Journal<Event>
    private let references: Journal<WebSocketReference>
    private let react: Reaction?
    private(set) var webSocket: WebSocketConnection?

    /// - Parameter references: gets the WebSocket's own when it opens.
    init(
        _ journal: Journal<Event>, _ references: Journal<WebSocketReference>, deflate: DeflateSettings? = nil,
        react: Reaction? = nil
    ) {
        deflateSettings = deflate
        self.journal = journal
        self.references = references
        self.react = react
    }

    /// For a server that makes a WebSocket of every request that asks for one.
    static func accepting(
        _ journal: Journal<Event>, _ references: Journal<WebSocketReference>, deflate: DeflateSettings? = nil,
        react: Reaction? = nil
    ) -> TestHTTPServer.Decide {
        { head, _ in
            do throws(HandshakeFailure) {
                let acceptance = try WebSocketHandshake.accept(head, deflate: deflate) { _ in nil }
                return .upgrade(acceptance, RecordingWebSocket(journal, references, deflate: deflate, react: react))
            } catch {
                return .answer(error.response)
            }
        }
    }

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        references.write(webSocket.reference(on))
    }

    private func take(_ event: Event, _ on: borrowing OnShard) {
        journal.write(event)
        if let webSocket { react?(event, webSocket, on) }
    }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) { take(.text(Array(text)), on) }
    func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) { take(.binary(Array(binary)), on) }
    func isAlive(_ on: borrowing OnShard) { take(.alive, on) }
    func deadlineReached(_ on: borrowing OnShard) { take(.deadlineReached, on) }
    func outputBlocked(_ on: borrowing OnShard) { take(.outputBlocked, on) }
    func outputDrained(_ on: borrowing OnShard) { take(.outputDrained, on) }

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        take(.closed(ending), on)
        // It holds this handler, and would be held by it for ever.
        webSocket = nil
    }
}

extension WebSocketReference {
    /// Calls `body` with the WebSocket of a ``RecordingWebSocket``, on its shard.
    func act(_ body: @escaping @Sendable (WebSocketConnection, borrowing OnShard) -> Void) {
        post { handler, on in
            if let webSocket = (handler as? RecordingWebSocket)?.webSocket { body(webSocket, on) }
        }
    }
}

extension TestSocket {
    /// Shakes hands as a WebSocket's client; `frames` go out behind the request in the same call.
    ///
    /// - Returns: the server's head.
    @discardableResult
    func upgrade(extensions: String? = nil, with frames: [UInt8] = []) throws -> String {
        let offer = extensions.map { "Sec-WebSocket-Extensions: \($0)\r\n" } ?? ""
        let request = """
            GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\(offer)\r\n
            """
        try send(Array(request.utf8) + frames)
        let head = try readText(through: "\r\n\r\n")
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw UnexpectedEnd() }
        return head
    }
}
