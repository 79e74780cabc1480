import Inbox
import Synchronization
import Transport

/// The sessions of this node whose clients have no WebSocket, by their names: clients post their frames to these.
final class OpenStreams: Sendable {
    private let streams = Mutex<[String: (user: UserID, stream: WebSocketReference)]>([:])

    func add(_ stream: WebSocketReference, of user: UserID, named name: String) {
        streams.withLock { $0[name] = (user, stream) }
    }

    func remove(_ name: String) { streams.withLock { $0[name] = nil } }

    /// Nil if there is none, or if it is another person's.
    func stream(named name: String, of user: UserID) -> WebSocketReference? {
        streams.withLock { streams in streams[name].flatMap { $0.user == user ? $0.stream : nil } }
    }
}
