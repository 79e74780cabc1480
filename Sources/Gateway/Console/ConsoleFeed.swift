import Inbox
import JSON
import Transport
import WireProtocol

/// The open consoles: each second, one message is made and sent to all of them. Confined to the operators' shard.
final class ConsoleFeed {
    /// Further consoles load, and have no live figures.
    static let maximumSockets = 50
    private static let interval = Duration.seconds(1)

    private let node: Node
    private let meter: ConsoleMeter
    private var sockets: [ObjectIdentifier: ConsoleSocket] = [:]

    init(node: Node, meter: ConsoleMeter) {
        self.node = node
        self.meter = meter
    }

    /// Begins to take samples; goes on until the shard stops.
    func start(_ on: borrowing OnShard) { tick(at: on.now, on) }

    private func tick(at planned: ContinuousClock.Instant, _ on: borrowing OnShard) {
        let now = node.now()
        if let sample = meter.sample(at: now, on.now), !sockets.isEmpty {
            var json = JSONWriter(capacity: 512)
            json.object { json in
                json.member("at", now.milliseconds / 1_000)
                json.key("values")
                json.array { json in for value in sample { json.figure(value) } }
            }
            let message = OutgoingMessage(text: json.bytes)
            // A copy, because sockets that end meanwhile leave the dictionary.
            for socket in Array(sockets.values) { socket.send(message, on) }
        }
        // After the process slept, the seconds that it missed are not made up for.
        let next = max(planned + Self.interval, on.now + .milliseconds(100))
        on.shard.schedule(at: next, on) { [self] on in tick(at: next, on) }
    }

    /// The handler of a console's socket; nil if there are too many.
    func newSocket() -> ConsoleSocket? { sockets.count < Self.maximumSockets ? ConsoleSocket(feed: self) : nil }

    fileprivate func opened(_ socket: ConsoleSocket) { sockets[ObjectIdentifier(socket)] = socket }
    fileprivate func closed(_ socket: ConsoleSocket) { sockets[ObjectIdentifier(socket)] = nil }
}

/// One console's socket, which only gets messages. Confined to the operators' shard.
final class ConsoleSocket: WebSocketHandler {
    /// Some minutes of samples: a browser that takes none is gone.
    private static let maximumBacklog = 64 << 10

    let maximumMessageBytes = 1_024
    private let feed: ConsoleFeed
    private var webSocket: WebSocketConnection?

    fileprivate init(feed: ConsoleFeed) { self.feed = feed }

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        feed.opened(self)
    }

    fileprivate func send(_ message: OutgoingMessage, _ on: borrowing OnShard) {
        guard let webSocket else { return }
        if webSocket.backlog > Self.maximumBacklog { webSocket.abort(on) } else { webSocket.send(message, on) }
    }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {}
    func isAlive(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) {}
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {}

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        webSocket = nil
        feed.closed(self)
    }
}
