import Inbox
import Transport
import WireProtocol

/// The client's end of a session whose client polls: collects the session's frames for the polls' answers.
///
/// The session itself is one over a WebSocket, to this object. So it has the same limits, back-pressure and heartbeat.
/// Confined to the shard of the session; polls come from any shard, as each may have its own connection.
final class PollSession: WebSocketHandler {
    private let node: Node
    private var buffer: PollBuffer
    /// Of the poll that waits.
    private var reply: HTTPReply?
    /// Nil before and after the session.
    private var webSocket: WebSocketConnection?
    private var willLook = false

    private init(_ name: String, _ node: Node, _ reply: HTTPReply) {
        self.node = node
        self.reply = reply
        buffer = PollBuffer(of: name, patience: node.settings.limits.stallTimeout)
    }

    /// Opens a session; its first frames are the answer.
    ///
    /// - Parameter frames: the client's first, from its hello on.
    static func open(
        as credentials: Credentials, _ frames: [ClientFrame], from peer: Peer, at live: LiveShard,
        _ reply: HTTPReply, _ on: borrowing OnShard
    ) {
        let (name, node) = (StreamExtras.newName(), live.node)
        let poll = QueueBound(PollSession(name, node, reply), on: on.shard.queue)
        let session = LiveSession(
            live: live, credentials: credentials, refusal: nil,
            client: StreamExtras(.polls, name: name, address: peer.address), frames: frames, at: on.now)
        do {
            try WebSocketPair.open(server: session, client: poll.withState { $0 }, on)
            node.openPolls.add(.init(user: credentials.user, shard: on.shard, session: poll), named: name)
        } catch {
            reply.send(Problem.noRoomForPolls(jitter: .random(in: 0..<1)).response, on)
        }
    }

    /// The client polls.
    ///
    /// - Parameter after: how many of all frames have come to it.
    func ask(after: Int, _ reply: HTTPReply, _ on: borrowing OnShard) {
        guard buffer.ask(after: after) else { return reply.send(Problem.pollSuperseded.response) }
        self.reply?.send(Problem.pollSuperseded.response)
        self.reply = reply
        look(on)
    }

    /// Does what is due, and sets the time for the next look.
    private func look(_ on: borrowing OnShard) {
        // A node that leaves takes no further polls. Its last frame tells when to come back.
        if !node.isReady, buffer.hasNews {
            buffer.end(LiveCloseCode.drain.rawValue, reason: LiveCloseCode.drain.reason)
        }
        switch buffer.step(at: on.now) {
        case .answer:
            reply?.send(buffer.answer)
            reply = nil
            return look(on)
        case .forget: end(on)
        case .wait(let moment):
            webSocket?.setReading(!buffer.isFull, on)
            if let webSocket { return webSocket.setDeadline(moment, on) }
            guard let moment else { return }
            on.shard.schedule(at: moment, on) { [weak self] on in self?.look(on) }
        }
    }

    /// Ends the session: its client leaves, or has not come for too long.
    func end(_ on: borrowing OnShard) {
        node.openPolls.remove(buffer.session)
        reply?.send(Problem.unknownSession.response)
        reply = nil
        let webSocket = webSocket
        self.webSocket = nil
        webSocket?.abort(on)
    }

    // MARK: The session's frames

    let maximumMessageBytes = Int.max

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) { self.webSocket = webSocket }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        buffer.append(Array(text))
        // Frames that come together leave together.
        guard !willLook else { return }
        willLook = true
        on.shard.atEndOfTurn(on) { [weak self] on in
            self?.willLook = false
            self?.look(on)
        }
    }

    func isAlive(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) { look(on) }
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {}

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        guard webSocket != nil else { return }
        webSocket = nil
        buffer.end(ending.code, reason: ending.reason)
        look(on)
    }
}
