import WireProtocol

/// A WebSocket on its shard, either end of it: the machine's decisions become reads and writes here.
package final class WebSocketConnection: ConnectionHandler {
    /// How long the peer has to finish a close that we began, or to take the last bytes.
    private static let closeTimeout = Duration.seconds(5)
    /// From how many waiting bytes on pings go unanswered: a peer that sends them and takes no pongs must not fill our
    /// memory, and owes itself the silence (RFC 6455 §5.5.3 asks for a pong to the last ping only).
    private static let maximumBacklogForPong = 64 << 10

    /// Held both ways until the connection closes, which lets go of its handler.
    private let connection: Connection
    package let handler: any WebSocketHandler
    private var machine: WebSocketMachine

    /// The server's end, once the handshake has accepted.
    convenience init(
        _ connection: Connection, accepted: WebSocketHandshake.Acceptance, handler: any WebSocketHandler
    ) {
        self.init(connection, role: .server, deflate: accepted.deflate, handler: handler)
    }

    /// The client's end, once the server has accepted.
    convenience init(
        _ connection: Connection, accepted: WebSocketClientHandshake.Acceptance, handler: any WebSocketHandler
    ) {
        self.init(connection, role: .client, deflate: accepted.deflate, handler: handler)
    }

    private init(
        _ connection: Connection, role: WebSocketRole, deflate: DeflateAgreement?, handler: any WebSocketHandler
    ) {
        self.connection = connection
        self.handler = handler
        machine = WebSocketMachine(
            role: role, maximumMessageBytes: handler.maximumMessageBytes, acceptsBinary: handler.acceptsBinary,
            deflate: deflate)
    }

    /// How many bytes wait for the peer to take them.
    package var backlog: Int { connection.backlog }
    /// How many of them wait because the peer does not take them: what one turn queues is no sign of a slow reader.
    package var refusedBytes: Int { connection.refusedBytes }
    /// As ``refusedBytes``. A turn may queue any number of bytes before it sends them, so whoever has queued more than
    /// `limit` sends them now, to learn whether the peer takes them; not for handlers, who may hear of it at once.
    package func refusedBytes(beyond limit: Int, _ on: borrowing OnShard) -> Int {
        if connection.backlog > max(limit, 0), connection.refusedBytes == 0 { connection.flush(on) }
        return connection.refusedBytes
    }
    /// How many bytes the peer has taken so far; stands still while it takes none.
    package var takenBytes: Int { connection.takenBytes }
    /// For reaching the handler from another thread.
    package func reference(_ on: borrowing OnShard) -> WebSocketReference {
        WebSocketReference(shard: on.shard, connection: connection.id)
    }

    /// Has what sending takes beside it brought to the processor's cache.
    package func prefetchConnection() { connection.prefetch() }

    /// - Parameter remainder: what came behind the handshake.
    func begin(_ remainder: [UInt8], _ on: borrowing OnShard) {
        handler.opened(self, on)
        var remainder = remainder
        remainder.reserveCapacity(remainder.count + Shard.inputPadding)
        if !remainder.isEmpty { remainder.withUnsafeMutableBytes { received($0, on) } }
    }

    // MARK: Output

    /// Sends a message, compressed where that was agreed on, is worth it, and makes it shorter.
    ///
    /// - Parameter text: UTF-8.
    package func send(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) { send(.text, text, on) }

    /// - Parameter text: UTF-8.
    package func send(text: [UInt8], _ on: borrowing OnShard) { text.withUnsafeBytes { send(.text, $0, on) } }

    /// Sends a binary message as ``send(text:_:)`` sends text.
    package func send(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) { send(.binary, binary, on) }

    package func send(binary: [UInt8], _ on: borrowing OnShard) { binary.withUnsafeBytes { send(.binary, $0, on) } }

    private func send(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        connection.send(frame(opcode, payload, on), on)
    }

    private func frame(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ on: borrowing OnShard) -> [UInt8] {
        let maskingKey = maskingKey
        if let deflate = machine.deflate,
            let frame = on.shard.compression.frame(
                opcode, payload, deflate, handler.deflateSettings, maskingKey: maskingKey)
        {
            return frame
        }
        return FrameEncoder.encode(opcode, payload, maskingKey: maskingKey)
    }

    /// Sends a message that goes to many; only a server's end does.
    package func send(_ message: OutgoingMessage, _ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        let frame = message.frame(for: machine.deflate, handler.deflateSettings, with: on.shard.compression)
        connection.send(frame, on)
    }

    package func ping(_ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        connection.send(FrameEncoder.ping([], maskingKey: maskingKey), on)
    }

    /// Sends a message and a ping behind it as one piece, which an idle connection's queue holds without more memory.
    ///
    /// - Parameter text: UTF-8.
    package func sendWithPing(text: [UInt8], _ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        let ping = FrameEncoder.ping([], maskingKey: maskingKey)
        connection.send(text.withUnsafeBytes { frame(.text, $0, on) } + ping, on)
    }

    /// Begins the close handshake; the peer has a few seconds to answer.
    package func close(_ code: UInt16, reason: String, _ on: borrowing OnShard) {
        guard let frame = machine.close(code, reason: reason, maskingKey: .random(in: .min ... .max)) else { return }
        connection.send(frame, on)
        beginClosing(on)
    }

    /// Lets a ``WebSocketGroup`` send past this object until it closes: nothing may follow a close frame
    /// (RFC 6455 §5.5.1). A client's end lets nobody, since each of its frames has a mask of its own.
    ///
    /// - Returns: where to send, and what was agreed on with the peer.
    func share(_ on: borrowing OnShard) -> (id: ConnectionID, deflate: DeflateAgreement?) {
        if machine.role == .server, machine.isOpen { connection.setShared(true, on) }
        return (connection.id, machine.deflate)
    }

    /// Closes the socket at once, without the close handshake, as a client does that vanishes.
    package func abort(_ on: borrowing OnShard) { connection.close(on) }

    private func beginClosing(_ on: borrowing OnShard) {
        connection.setShared(false, on)
        // A handler that had paused reading would never see the peer's half of the close.
        connection.setReading(true, on)
        connection.setDeadline(on.now + Self.closeTimeout, on)
    }

    /// Fresh for each frame, so that nobody between can choose what bytes go out (RFC 6455 §10.3); nil for a server.
    private var maskingKey: UInt32? { machine.role == .client ? .random(in: .min ... .max) : nil }

    // MARK: Input

    package func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        var input = WebSocketInput(bytes)
        // Most reads bring one message whole.
        while !input.isEmpty,
            let event = machine.next(
                in: &input, with: on.shard.compression, maskingKey: .random(in: .min ... .max))
        {
            switch event {
            case .text(let message): message.withUnsafeBytes { handler.received(text: $0, on) }
            case .binary(let message): message.withUnsafeBytes { handler.received(binary: $0, on) }
            case .ping(let pong):
                handler.isAlive(on)
                if machine.isOpen, connection.backlog < Self.maximumBacklogForPong { connection.send(pong, on) }
            case .pong: handler.isAlive(on)
            case .finish(let ending, let closeFrame):
                if let closeFrame { connection.send(closeFrame, on) }
                beginClosing(on)
                // A server closes first; a client leaves that to the server (RFC 6455 §7.1.1), within the deadline.
                if machine.role == .server || !ending.isClean { connection.finish(on) }
                return
            }
            if !connection.isOpen { return }
        }
    }

    /// Stops or resumes reading: backpressure towards the peer. What the turn's read has brought is still delivered.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) {
        if machine.isOpen { connection.setReading(isReading, on) }
    }

    // MARK: Time and ends

    /// Sets the handler's deadline; once the connection is closing the deadline is its own.
    package func setDeadline(_ deadline: ContinuousClock.Instant?, _ on: borrowing OnShard) {
        if machine.isOpen { connection.setDeadline(deadline, on) }
    }

    package func deadlineReached(_ on: borrowing OnShard) {
        if machine.isOpen { handler.deadlineReached(on) } else { connection.close(on) }
    }

    package func outputBlocked(_ on: borrowing OnShard) {
        if machine.isOpen { handler.outputBlocked(on) }
    }

    package func outputDrained(_ on: borrowing OnShard) {
        if machine.isOpen { handler.outputDrained(on) }
    }

    package func peerFinished(_ on: borrowing OnShard) { connection.close(on) }

    package func closed(_ on: borrowing OnShard) {
        handler.closed(machine.transportClosed(), on)
    }
}
