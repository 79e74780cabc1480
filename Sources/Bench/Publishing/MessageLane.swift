import Transport
import WireProtocol

/// Publications as messages of one WebSocket, for servers that take them so. There are no answers: each sent one counts
/// as accepted.
final class MessageLane: PublishLane, WebSocketHandler {
    /// The most bytes that may wait for a server that does not read.
    private static let maximumBacklog = 1 << 20

    private unowned let publisher: ShardPublisher
    private let message: Template
    private let isBinary: Bool
    private let speech: RawSpeech
    private let target: WebSocketConnector.Target
    private let values: Template.Values
    private var webSocket: WebSocketConnection?
    private var isReady = false
    private var isOver = false

    init(
        _ message: Template, isBinary: Bool, _ speech: RawSpeech, to target: WebSocketConnector.Target,
        as values: Template.Values, publisher: ShardPublisher
    ) {
        self.message = message
        self.isBinary = isBinary
        self.speech = speech
        self.target = target
        self.values = values
        self.publisher = publisher
    }

    var maximumMessageBytes: Int { 4 << 20 }
    var acceptsBinary: Bool { true }
    var underway: [Int64] { [] }
    var hasRoom: Bool { isReady && webSocket.map { $0.backlog < Self.maximumBacklog } ?? false }

    func connect(_ on: borrowing OnShard) {
        WebSocketConnector.connect(target, handler: self, on) { [self] failure, _ in
            if !isOver { publisher.connectionFailed("\(failure)") }
        }
    }

    func send(_ values: Template.Values, _ on: borrowing OnShard) {
        transmit(message.rendered(values), on)
        publisher.sentWithoutAnswer()
    }

    private func transmit(_ bytes: [UInt8], _ on: borrowing OnShard) {
        if isBinary { webSocket?.send(binary: bytes, on) } else { webSocket?.send(text: bytes, on) }
    }

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        // The publisher exists only during the run.
        guard !isOver else { return webSocket.abort(on) }
        self.webSocket = webSocket
        for message in speech.opening { transmit(message.rendered(values), on) }
        if speech.readyText == nil { becomeReady(on) }
    }

    private func becomeReady(_ on: borrowing OnShard) {
        isReady = true
        publisher.step(on)
    }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        if !isReady, let readyText = speech.readyText, String(decoding: text, as: UTF8.self).contains(readyText) {
            becomeReady(on)
        }
        for reply in speech.replies where text.elementsEqual(reply.message.utf8) {
            transmit(Array(reply.answer.utf8), on)
        }
    }

    func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) { received(text: binary, on) }

    func end(_ on: borrowing OnShard) {
        isOver = true
        webSocket?.abort(on)
    }

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        (webSocket, isReady) = (nil, false)
        if !isOver { publisher.connectionFailed("the publisher's WebSocket was closed with \(ending.code)") }
    }

    func isAlive(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) {}
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {
        if !isOver { publisher.step(on) }
    }
}
