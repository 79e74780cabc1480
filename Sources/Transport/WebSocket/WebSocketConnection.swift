package import WireProtocol

/// A WebSocket on its shard, on either end: turns the machine's decisions into reads and writes.
///
/// A server's end may be an event stream instead, for clients that cannot open WebSockets: the same messages go out as
/// events, and nothing comes in.
package final class WebSocketConnection: ConnectionHandler {
    /// How long the peer has to finish a close that this end began, or to take the last bytes.
    private static let closeTimeout = Duration.seconds(5)
    /// The number of waiting bytes from which pings go unanswered: a peer that sends pings and takes no pongs must not
    /// fill the memory. RFC 6455 §5.5.3 asks for a pong to the last ping only.
    private static let maximumBacklogForPong = 64 << 10

    /// A reference cycle with the connection, which lets go of its handler when it closes.
    private let connection: Connection
    package let handler: any WebSocketHandler
    private var machine: WebSocketMachine
    /// Whether messages go out as events.
    package let isEventStream: Bool

    /// The server's end, after the handshake was accepted.
    convenience init(
        _ connection: Connection, accepted: WebSocketHandshake.Acceptance, handler: any WebSocketHandler
    ) {
        self.init(connection, role: .server, deflate: accepted.deflate, handler: handler)
    }

    /// The client's end, after the server has accepted.
    convenience init(
        _ connection: Connection, accepted: WebSocketClientHandshake.Acceptance, handler: any WebSocketHandler
    ) {
        self.init(connection, role: .client, deflate: accepted.deflate, handler: handler)
    }

    /// An event stream, behind the head of its answer.
    convenience init(_ connection: Connection, eventsFor handler: any WebSocketHandler) {
        self.init(connection, role: .server, deflate: nil, isEventStream: true, handler: handler)
    }

    init(
        _ connection: Connection, role: WebSocketRole, deflate: DeflateAgreement?, isEventStream: Bool = false,
        handler: any WebSocketHandler
    ) {
        self.connection = connection
        self.isEventStream = isEventStream
        self.handler = handler
        machine = WebSocketMachine(
            role: role, maximumMessageBytes: handler.maximumMessageBytes, acceptsBinary: handler.acceptsBinary,
            deflate: deflate)
    }

    /// The number of bytes that wait for the peer.
    package var backlog: Int { connection.backlog }
    /// The waiting bytes that the peer did not take; output that one turn has only queued does not count.
    package var refusedBytes: Int { connection.refusedBytes }
    /// ``refusedBytes``, after sending a queue of more than `limit` bytes. A turn queues bytes before it sends them, so
    /// only sending shows whether the peer takes them. Handlers must not call it, because they may be called at once.
    package func refusedBytes(beyond limit: Int, _ on: borrowing OnShard) -> Int {
        if connection.backlog > max(limit, 0), connection.refusedBytes == 0 { connection.flush(on) }
        return connection.refusedBytes
    }
    /// The number of bytes the peer has taken so far; constant while it takes none.
    package var takenBytes: Int { connection.takenBytes }
    /// The address at the other end of the connection, which may be a proxy's; asks the kernel.
    package var peerAddress: IPAddress? { IPAddress(peerOf: connection.id.descriptor) }
    /// Reaches the handler from another thread.
    package func reference(_ on: borrowing OnShard) -> WebSocketReference {
        WebSocketReference(shard: on.shard, connection: connection.id)
    }

    /// - Parameter remainder: the bytes behind the handshake.
    func begin(_ remainder: [UInt8], _ on: borrowing OnShard) {
        handler.opened(self, on)
        var remainder = remainder
        remainder.reserveCapacity(remainder.count + Shard.inputPadding)
        if !remainder.isEmpty { remainder.withUnsafeMutableBytes { received($0, on) } }
    }

    // MARK: Output

    /// Sends a message. It is compressed if both sides agreed on it, it is long enough, and the result is shorter.
    ///
    /// - Parameter text: UTF-8.
    package func send(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) { send(.text, text, on) }

    /// - Parameter text: UTF-8.
    package func send(text: [UInt8], _ on: borrowing OnShard) { text.withUnsafeBytes { send(.text, $0, on) } }

    /// Sends a binary message by the rules of ``send(text:_:)``.
    package func send(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) { send(.binary, binary, on) }

    package func send(binary: [UInt8], _ on: borrowing OnShard) { binary.withUnsafeBytes { send(.binary, $0, on) } }

    private func send(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        connection.send(frame(opcode, payload, on), on)
    }

    private func frame(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ on: borrowing OnShard) -> [UInt8] {
        if isEventStream { return EventStreamEncoder.event(payload) }
        let maskingKey = maskingKey
        if let deflate = machine.deflate,
            let frame = on.shard.compression.frame(
                opcode, payload, deflate, handler.deflateSettings, maskingKey: maskingKey)
        {
            return frame
        }
        return FrameEncoder.encode(opcode, payload, maskingKey: maskingKey)
    }

    /// Sends a message for many clients; only for a server's end.
    package func send(_ message: OutgoingMessage, _ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        let frame = message.frame(for: form, handler.deflateSettings, with: on.shard.compression)
        connection.send(frame, on)
    }

    private var form: MessageForm { isEventStream ? .event : .frame(machine.deflate) }

    /// Tells the client of an event stream where it is, for `Last-Event-ID`.
    package func send(place: String, _ on: borrowing OnShard) {
        if isEventStream, machine.isOpen { connection.send(EventStreamEncoder.place(place), on) }
    }

    package func ping(_ on: borrowing OnShard) {
        guard machine.isOpen, !isEventStream else { return }
        connection.send(FrameEncoder.ping([], maskingKey: maskingKey), on)
    }

    /// Sends a message followed by a ping as one chunk, which an idle connection's queue holds without more memory.
    ///
    /// - Parameter text: UTF-8.
    package func sendWithPing(text: [UInt8], _ on: borrowing OnShard) {
        guard machine.isOpen else { return }
        let ping = isEventStream ? EventStreamEncoder.sign : FrameEncoder.ping([], maskingKey: maskingKey)
        connection.send(text.withUnsafeBytes { frame(.text, $0, on) } + ping, on)
    }

    /// Begins the close handshake; the peer has a few seconds to answer.
    package func close(_ code: UInt16, reason: String, _ on: borrowing OnShard) {
        guard let frame = machine.close(code, reason: reason, maskingKey: .random(in: .min ... .max)) else { return }
        connection.send(isEventStream ? EventStreamEncoder.close(code, reason: reason) : frame, on)
        beginClosing(on)
        // The client of an event stream has nothing to answer.
        if isEventStream { connection.finish(on) }
    }

    /// Lets a ``WebSocketGroup`` send to the socket directly until this object closes: nothing may follow a close frame
    /// (RFC 6455 §5.5.1). A client's end does not allow it, because each of its frames has its own mask.
    ///
    /// - Returns: the connection to send to, and the form of its messages.
    func share(_ on: borrowing OnShard) -> (id: ConnectionID, form: MessageForm) {
        if machine.role == .server, machine.isOpen { connection.setShared(true, on) }
        return (connection.id, form)
    }

    /// Closes the socket at once, without the close handshake, like a client that vanishes.
    package func abort(_ on: borrowing OnShard) { connection.close(on) }

    private func beginClosing(_ on: borrowing OnShard) {
        connection.setShared(false, on)
        // With reading paused, the peer's close frame would never be read.
        connection.setReading(true, on)
        connection.setDeadline(on.now + Self.closeTimeout, on)
    }

    /// New for each frame, so that nobody can choose the bytes on the wire (RFC 6455 §10.3); nil for a server.
    private var maskingKey: UInt32? { machine.role == .client ? .random(in: .min ... .max) : nil }

    // MARK: Input

    package func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        if isEventStream { return }
        var input = WebSocketInput(bytes)
        // Most reads bring one whole message.
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
                // A server closes first; a client waits for that (RFC 6455 §7.1.1), until the deadline.
                if machine.role == .server || !ending.isClean { connection.finish(on) }
                return
            }
            if !connection.isOpen { return }
        }
    }

    /// Stops or resumes reading: backpressure towards the peer. The input of the current read is still delivered.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) {
        if machine.isOpen { connection.setReading(isReading, on) }
    }

    // MARK: Time and ends

    /// Sets the handler's deadline; a closing connection keeps its own deadline.
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
