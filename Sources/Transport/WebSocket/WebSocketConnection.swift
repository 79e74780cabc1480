package import WireProtocol

/// A WebSocket on its shard, either end of it: the machine's decisions become reads and writes here.
package final class WebSocketConnection: ConnectionHandler {
    /// How long the peer has to finish a close that we began, or to take the last bytes.
    private static let closeTimeout = Duration.seconds(5)
    /// From how many waiting bytes on pings go unanswered: a peer that sends them and takes no pongs must not fill our
    /// memory, and owes itself the silence (RFC 6455 §5.5.3 asks for a pong to the last ping only).
    private static let maximumBacklogForPong = 64 << 10

    /// Held both ways until the connection closes, which lets go of its handler.
    private let connection: Connection
    let handler: any WebSocketHandler
    private var machine: WebSocketMachine
    private let isClient: Bool
    private var isClosing = false
    private var ending: WebSocketEnding?

    /// The server's end, once the handshake has accepted.
    convenience init(
        _ connection: Connection, accepted: WebSocketHandshake.Acceptance, handler: any WebSocketHandler
    ) {
        self.init(connection, role: .server, handler: handler)
    }

    /// The client's end, once the server has accepted.
    convenience init(
        _ connection: Connection, accepted: WebSocketClientHandshake.Acceptance, handler: any WebSocketHandler
    ) {
        self.init(connection, role: .client, handler: handler)
    }

    private init(_ connection: Connection, role: WebSocketRole, handler: any WebSocketHandler) {
        self.connection = connection
        self.handler = handler
        isClient = role == .client
        machine = WebSocketMachine(
            role: role, maximumMessageBytes: handler.maximumMessageBytes, acceptsBinary: handler.acceptsBinary)
    }

    /// How many bytes wait for the peer to take them.
    package var backlog: Int { connection.backlog }
    /// How many of them wait because the peer does not take them: what one turn queues is no sign of a slow reader.
    package var refusedBytes: Int { connection.refusedBytes }
    /// How many bytes the peer has taken so far; stands still while it takes none.
    package var takenBytes: Int { connection.takenBytes }
    /// For reaching the handler from another thread.
    package var reference: WebSocketReference { WebSocketReference(shard: connection.shard, connection: connection.id) }

    /// - Parameter remainder: what came behind the handshake.
    func begin(_ remainder: [UInt8], _ on: borrowing OnShard) {
        handler.opened(self, on)
        var remainder = remainder
        if !remainder.isEmpty { remainder.withUnsafeMutableBytes { received($0, on) } }
    }

    // MARK: Output

    /// Sends bytes that are one or more whole frames, as ``FrameEncoder`` makes them.
    package func send(frames bytes: [UInt8], _ on: borrowing OnShard) {
        guard !isClosing else { return }
        connection.send(bytes, on)
    }

    package func send(text: [UInt8], _ on: borrowing OnShard) {
        send(frames: FrameEncoder.text(text, maskingKey: maskingKey), on)
    }

    /// Sends a message that goes to many; only a server's end does.
    package func send(_ message: OutgoingMessage, _ on: borrowing OnShard) { send(frames: message.frame, on) }

    package func ping(_ on: borrowing OnShard) { send(frames: FrameEncoder.ping([], maskingKey: maskingKey), on) }

    /// Begins the close handshake; the peer has a few seconds to answer.
    package func close(_ code: UInt16, reason: String, _ on: borrowing OnShard) {
        guard !isClosing, let frame = machine.close(code, reason: reason, maskingKey: maskingKey ?? 0) else { return }
        connection.send(frame, on)
        beginClosing(on)
    }

    private func beginClosing(_ on: borrowing OnShard) {
        isClosing = true
        // A handler that had paused reading would never see the peer's half of the close.
        connection.setReading(true, on)
        connection.setDeadline(on.now + Self.closeTimeout, on)
    }

    /// Fresh for each frame, so that nobody between can choose what bytes go out (RFC 6455 §10.3); nil for a server.
    private var maskingKey: UInt32? { isClient ? .random(in: .min ... .max) : nil }

    // MARK: Input

    package func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        machine.append(UnsafeRawBufferPointer(bytes))
        var isPong = false
        while let event = machine.next(maskingKey: maskingKey ?? 0) {
            switch event {
            case .text(let message): if !isClosing { message.withUnsafeBytes { handler.received(text: $0, on) } }
            case .binary(let message): if !isClosing { message.withUnsafeBytes { handler.received(binary: $0, on) } }
            case .ping:
                isPong = true
                handler.isAlive(on)
            case .pong: handler.isAlive(on)
            case .send(let frame):
                if !isPong || connection.backlog < Self.maximumBacklogForPong { connection.send(frame, on) }
                isPong = false
            case .finish(let ending):
                self.ending = ending
                beginClosing(on)
                // A server closes first; a client leaves that to the server (RFC 6455 §7.1.1), within the deadline.
                if !isClient || !ending.isClean { connection.finish(on) }
                return
            }
            if !connection.isOpen { return }
        }
    }

    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) {
        if !isClosing { connection.setReading(isReading, on) }
    }

    // MARK: Time and ends

    /// Sets the handler's deadline; once the connection is closing the deadline is its own.
    package func setDeadline(_ deadline: ContinuousClock.Instant?, _ on: borrowing OnShard) {
        if !isClosing { connection.setDeadline(deadline, on) }
    }

    package func deadlineReached(_ on: borrowing OnShard) {
        if isClosing { connection.close(on) } else { handler.deadlineReached(on) }
    }

    package func outputBlocked(_ on: borrowing OnShard) { handler.outputBlocked(on) }
    package func outputDrained(_ on: borrowing OnShard) { handler.outputDrained(on) }
    package func peerFinished(_ on: borrowing OnShard) { connection.close(on) }

    package func closed(_ on: borrowing OnShard) {
        handler.closed(ending ?? machine.transportClosed(), on)
    }
}
