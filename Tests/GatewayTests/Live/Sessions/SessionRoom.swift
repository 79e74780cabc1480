import EngineClient
import Glibc
import Inbox
import JSON
import Store
import Support
import Synchronization
import Testing
import Transport
import WireProtocol

@testable import Gateway

/// Live sessions of sarah's on real sockets, in front of a store of the test's choice: what is committed is the test's
/// word.
final class SessionRoom: Sendable {
    let hub: LiveHub
    let node: Node
    private let shards: ShardPair
    var server: Shard { shards.server }
    private let publishers: PublishListener
    private let address: SocketAddress

    init(_ store: any Store) async throws {
        publishers = try await PublishListener(store)
        node = publishers.node
        shards = try ShardPair()
        hub = LiveHub(shards: [shards.server], node: node)
        let token = try TokenIssuer(secret: PublishListener.secret).token(
            for: Service.sarah, at: node.now(), lifetime: .seconds(86_400))
        let credentials = try node.authenticator.verify(token, at: node.now()).get()
        address = try await shards.serve { [hub] in Service(hub, credentials) }
    }

    func stop() async {
        await shards.stop()
        await publishers.stop()
    }

    /// One more session, which has said hello.
    func session() throws -> TestSession {
        TestSession(
            .init(url: try WebSocketURL("ws://\(address)"), token: "none", silenceGrace: .patience), on: shards.readers)
    }

    /// Connects somebody who says hello and reads nothing from then on.
    func stuckSession() throws {
        try shards.connect(to: address) { StuckReader() }
    }

    /// Waits until so many sessions have said hello.
    func await(_ count: Int) async {
        while await sessions({ $0.count }) < count { await Task.yield() }
    }

    /// Commits, and waits until the shard's turn has told the sessions and sent what they take.
    func commit(_ commit: Commit) async {
        hub.deliver(commit)
        // The next letter may be read in the same turn; the one that it posts is not.
        await withCheckedContinuation { continuation in
            server.post { on in on.shard.post { _ in continuation.resume() } }
        }
    }

    /// The result of `look` for sarah's sessions.
    func sessions<Value: Sendable>(_ look: @escaping @Sendable ([LiveSession]) -> Value) async -> Value {
        let sarah = Service.sarah
        return await withCheckedContinuation { continuation in
            server.post { [hub] _ in
                continuation.resume(returning: look(hub.members[0].live.withState { $0 }.sessions(of: sarah)))
            }
        }
    }

    /// Has the kernel refuse whatever is sent to the sessions from now on.
    func breakSockets() async {
        await withCheckedContinuation { continuation in
            server.post { on in
                for connection in on.shard.connections(on) { shutdown(connection.id.descriptor, Int32(SHUT_WR)) }
                continuation.resume()
            }
        }
    }

    private final class Service: HTTPService {
        static var sarah: UserID {
            guard let user = UserID("sarah") else { preconditionFailure("a name is a name") }
            return user
        }

        private let hub: LiveHub
        private let credentials: Credentials

        init(_ hub: LiveHub, _ credentials: Credentials) { (self.hub, self.credentials) = (hub, credentials) }

        func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
            do throws(HandshakeFailure) {
                let acceptance = try WebSocketHandshake.accept(head) { $0.first }
                let live = hub.members[0].live.withState { $0 }
                return .upgrade(acceptance, LiveSession(live: live, credentials: credentials, refusal: nil, at: on.now))
            } catch {
                return .answer(error.response)
            }
        }
    }

    private final class StuckReader: WebSocketHandler {
        let maximumMessageBytes = 4 << 20

        func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
            webSocket.send(text: ClientFrame(.hello(.init())).encoded, on)
            webSocket.setReading(false, on)
        }

        func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {}
        func isAlive(_ on: borrowing OnShard) {}
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) {}
        func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {}
    }
}

/// A store that answers recoveries as the test says, and keeps what was acknowledged.
final class RecoveringStore: RefusingStore {
    private let recovery: Result<Recovery, StoreError>
    private let seqs = Mutex<[Int64]>([])
    /// Up to where sarah's changes were acknowledged, one after the other.
    var acknowledged: [Int64] { seqs.withLock { $0 } }

    private let written: Result<Void, StoreError>

    /// - Parameter acknowledging: what becomes of acknowledgements.
    init(_ recovery: Result<Recovery, StoreError>, acknowledging: Result<Void, StoreError> = .success(())) {
        self.recovery = recovery
        written = acknowledging
    }

    func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void
    ) { completion(recovery) }

    func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?
    ) {
        seqs.withLock { $0.append(seq) }
        completion?(written)
    }
}
