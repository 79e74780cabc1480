import Transport
import WireProtocol

/// One WebSocket that gets back what it sends: text as text, binary as binary. Confined to its shard.
final class EchoSession: WebSocketHandler {
    enum Event {
        case opened
        /// The last one.
        case closed(WebSocketEnding)
    }

    typealias Listener = (EchoSession, Event, borrowing OnShard) -> Void

    let acceptsBinary = true
    var maximumMessageBytes: Int { options.maximumMessageBytes }
    var deflateSettings: DeflateSettings? { options.deflate }
    private let options: EchoOptions
    private let listener: Listener
    /// How many messages were sent back.
    private(set) var messageCount = 0
    private var webSocket: WebSocketConnection?

    /// - Parameter listener: called on the shard; hears nothing of a WebSocket that never opened.
    init(_ options: EchoOptions, listener: @escaping Listener) {
        self.options = options
        self.listener = listener
    }

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        listener(self, .opened, on)
    }

    /// Says goodbye, as a server does that ends (RFC 6455 §7.4.1).
    func leave(_ on: borrowing OnShard) { webSocket?.close(1001, reason: "the server ends", on) }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        messageCount += 1
        webSocket?.send(text: text, on)
    }

    func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        messageCount += 1
        webSocket?.send(binary: binary, on)
    }

    // A peer that sends and does not take its echoes is not read on: else its messages would fill our memory.
    func outputBlocked(_ on: borrowing OnShard) { webSocket?.setReading(false, on) }
    func outputDrained(_ on: borrowing OnShard) { webSocket?.setReading(true, on) }

    func isAlive(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) {}

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        webSocket = nil
        listener(self, .closed(ending), on)
    }
}
