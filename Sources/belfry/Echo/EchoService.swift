import Transport
import WireProtocol

/// Makes an ``EchoSession`` for every WebSocket request, whatever its path. Confined to its shard.
final class EchoService: HTTPService {
    private let options: EchoOptions
    private var sessions: [ObjectIdentifier: EchoSession] = [:]
    /// One for all sessions: a closure for each session would take as much memory as the session itself.
    private lazy var listener: EchoSession.Listener = { [unowned self] session, event, _ in keep(session, event) }

    init(_ options: EchoOptions) { self.options = options }

    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        do throws(HandshakeFailure) {
            let acceptance = try WebSocketHandshake.accept(head, deflate: options.deflate) { _ in nil }
            return .upgrade(acceptance, EchoSession(options, listener: listener))
        } catch {
            return .answer(error.response)
        }
    }

    private func keep(_ session: EchoSession, _ event: EchoSession.Event) {
        switch event {
        case .opened: sessions[ObjectIdentifier(session)] = session
        case .closed: sessions[ObjectIdentifier(session)] = nil
        }
    }

    /// Sends each session a close frame.
    func leave(_ on: borrowing OnShard) {
        // A copy, because sessions that end meanwhile leave the dictionary.
        for session in Array(sessions.values) { session.leave(on) }
    }
}
