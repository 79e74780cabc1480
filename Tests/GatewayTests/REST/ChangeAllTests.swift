import Inbox
import Store
import Synchronization
import Testing
import Transport
import WireProtocol

@testable import Gateway

/// The meaning of "all" while somebody marks or clears a whole inbox and more notifications come.
@Suite(.mayNotHang) struct ChangeAllTests {
    @Test(arguments: [
        ("PUT", "/api/notifications/read-all", InboxCommand.read(.upTo(7))),
        ("PUT", "/api/notifications/seen", .seen(upTo: 7)), ("DELETE", "/api/notifications", .remove(.upTo(7))),
    ])
    func `it is what the inbox held when the request came; what is committed before it is done stays as it is`(
        _ method: String, _ path: String, _ command: InboxCommand
    ) async throws {
        let store = GrowingStore(seq: 7)
        let sarah = try user("sarah")
        let listener = try await PublishListener(store) { OneInbox(node: $0, user: sarah) }
        #expect(try await listener.call(method, path).hasPrefix("HTTP/1.1 200 "))
        #expect(store.seq == 8)
        #expect(store.applied == [command])
        await listener.stop()
    }

    @Test(
        arguments: [
            ("PUT", "/api/notifications/read-all", "?upTo=1", "", InboxCommand.read(.upTo(1))),
            ("PUT", "/api/notifications/read-all", "", #"{"upTo":1}"#, .read(.upTo(1))),
            ("PUT", "/api/notifications/read-all", "?upTo=1", #"{"upTo":1}"#, .read(.upTo(1))),
            ("PUT", "/api/notifications/read-all", "?upTo=0", "{}", .read(.upTo(0))),
            ("PUT", "/api/notifications/seen", "?upTo=3", "", .seen(upTo: 3)),
            ("DELETE", "/api/notifications", "?upTo=3", "", .remove(.upTo(3))),
            ("DELETE", "/api/notifications", "?upTo=3", #"{"upTo":3}"#, .remove(.upTo(3))),
        ])
    func `a bound stands in the query, and where there is a body that everybody passes on also in it`(
        _ method: String, _ path: String, _ query: String, _ body: String, _ command: InboxCommand
    ) async throws {
        let store = GrowingStore(seq: 7)
        let sarah = try user("sarah")
        let listener = try await PublishListener(store) { OneInbox(node: $0, user: sarah) }
        #expect(try await listener.call(method, path + query, body: body).hasPrefix("HTTP/1.1 200 "))
        #expect(store.applied == [command])
        await listener.stop()
    }

    @Test(
        arguments: ["read-all", "seen", ""],
        [
            ("?upTo=", ""), ("?upTo", ""), ("?upTo=-1", ""), ("?upTo=x", ""), ("?upTo=1&upTo=2", ""),
            ("?upTo=1", #"{"upTo":2}"#), ("", #"{"upTo":null}"#), ("", #"{"upto":1}"#), ("", "[]"),
        ])
    func `a value that tries to be a bound and is none changes nothing`(
        _ call: String, _ bound: (query: String, body: String)
    ) async throws {
        let store = GrowingStore(seq: 7)
        let sarah = try user("sarah")
        let listener = try await PublishListener(store) { OneInbox(node: $0, user: sarah) }
        let path = call.isEmpty ? "/api/notifications" : "/api/notifications/\(call)"
        let answer = try await listener.call(call.isEmpty ? "DELETE" : "PUT", path + bound.query, body: bound.body)
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(store.applied == [])
        await listener.stop()
    }

    @Test func `a DELETE has no bound that only its body names`() async throws {
        let store = GrowingStore(seq: 7)
        let sarah = try user("sarah")
        let listener = try await PublishListener(store) { OneInbox(node: $0, user: sarah) }
        let answer = try await listener.call("DELETE", "/api/notifications", body: #"{"upTo":3}"#)
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.contains("?upTo=3"))
        #expect(store.applied == [])
        await listener.stop()
    }
}

/// Lets one notification be committed between the look at an inbox and each change of it.
private final class GrowingStore: RefusingStore {
    private let state: Mutex<(seq: Int64, applied: [InboxCommand])>

    init(seq: Int64) { state = Mutex((seq, [])) }

    var seq: Int64 { state.withLock(\.seq) }
    var applied: [InboxCommand] { state.withLock(\.applied) }

    func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void) {
        let seen = state.withLock { state in
            defer { state.seq += 1 }
            return Self.inbox(state.seq)
        }
        completion(.success(seen))
    }

    func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void
    ) {
        let now = state.withLock { state in
            state.applied.append(command)
            return Self.inbox(state.seq)
        }
        completion(.success(CommandOutcome(count: 7, state: now)))
    }

    private static func inbox(_ seq: Int64) -> InboxState {
        InboxState(epoch: "e", seq: seq, unread: seq, unseen: seq, total: seq)
    }
}

/// A person's own calls, without anybody asking whose they are.
private final class OneInbox: HTTPService {
    private let node: Node
    private let user: UserID

    init(node: Node, user: UserID) { (self.node, self.user) = (node, user) }

    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        .collect { [node, user] request, reply, on in
            let routes = InboxRoutes(node: node, user: user)
            do throws(Problem) {
                switch head.path {
                case "/api/notifications/read-all": try routes.markAllRead(request)(reply)
                case "/api/notifications/seen": try routes.markSeen(request)(reply)
                default: try routes.clear(request)(reply)
                }
            } catch {
                reply.send(error.response, on)
            }
        }
    }
}
