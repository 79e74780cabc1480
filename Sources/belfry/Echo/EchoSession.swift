import Transport
import WireProtocol

/// One WebSocket that echoes its messages: text as text, binary as binary. Confined to its shard.
final class EchoSession: WebSocketHandler {
    enum Event {
        case opened
        /// The last event.
        case closed(WebSocketEnding)
    }

    typealias Listener = (EchoSession, Event, borrowing OnShard) -> Void

    let acceptsBinary = true
    var maximumMessageBytes: Int { options.maximumMessageBytes }
    var deflateSettings: DeflateSettings? { options.deflate }
    private let options: EchoOptions
    private let listener: Listener
    /// The number of echoed messages.
    private(set) var messageCount = 0
    private var webSocket: WebSocketConnection?

    /// - Parameter listener: called on the shard; gets no events of a WebSocket that never opened.
    init(_ options: EchoOptions, listener: @escaping Listener) {
        self.options = options
        self.listener = listener
    }

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        listener(self, .opened, on)
    }

    /// Closes as a server does that ends (RFC 6455 §7.4.1).
    func leave(_ on: borrowing OnShard) { webSocket?.close(1001, reason: "the server ends", on) }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        messageCount += 1
        webSocket?.send(text: text, on)
    }

    func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        messageCount += 1
        webSocket?.send(binary: binary, on)
    }

    // Reading stops for a peer that does not take its echoes: otherwise its messages would fill the memory.
    func outputBlocked(_ on: borrowing OnShard) { webSocket?.setReading(false, on) }
    func outputDrained(_ on: borrowing OnShard) { webSocket?.setReading(true, on) }

    func isAlive(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) {}

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        webSocket = nil
        listener(self, .closed(ending), on)
    }
}
