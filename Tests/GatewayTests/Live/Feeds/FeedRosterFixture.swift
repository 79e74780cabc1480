import Inbox
import JSON
import Store
import Testing
import Transport
import WireProtocol

@testable import Gateway

/// A roster whose members have real sockets: the server's ends on one shard, the readers' on another.
final class RosterRoom: Sendable {
    static let feed = "posts"
    static let maximumQueuedBytes = 200_000

    private let shards: ShardPair
    var server: Shard { shards.server }
    let state: QueueBound<State>
    private let address: SocketAddress

    /// The server's side.
    struct State {
        let roster = FeedRoster(feed: feed, maximumQueuedBytes: maximumQueuedBytes)
        var members: [Member] = []
        /// The newest item that was committed.
        var head: Int64 = 0
    }

    init(_ poller: PollerKind = .epoll) async throws {
        shards = try ShardPair(poller)
        state = QueueBound(State(), on: shards.server.queue)
        address = try await shards.serve { [state] in Service(state) }
    }

    func stop() async { await shards.stop() }

    /// One turn of the server's shard.
    func turn<Result: Sendable>(
        _ body: @escaping @Sendable (inout State, borrowing OnShard) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            shards.server.post { [state] on in continuation.resume(returning: state.withState { body(&$0, on) }) }
        }
    }

    /// Connects one more member and waits until it is there; it has not subscribed.
    func join() async throws -> Reader {
        let (opened, told) = AsyncStream.makeStream(of: Void.self)
        let reader = Reader(on: shards.readers) { told.yield() }
        try shards.connect(to: address) { ReaderEnd(reader.state) }
        for await _ in opened { break }
        return reader
    }

    private final class Service: HTTPService {
        private let state: QueueBound<State>

        init(_ state: QueueBound<State>) { self.state = state }

        func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
            do throws(HandshakeFailure) {
                let member = Member()
                let acceptance = try WebSocketHandshake.accept(head) { _ in nil }
                state.withState { $0.members.append(member) }
                return .upgrade(acceptance, member)
            } catch {
                return .answer(error.response)
            }
        }
    }
}

extension RosterRoom.State {
    /// Commits one more item.
    mutating func append(bytes: Int, _ now: ContinuousClock.Instant) {
        head += 1
        let json = Array("\"\(String(repeating: "x", count: bytes))\"".utf8)
        let item = FeedItem(feed: RosterRoom.feed, json: json, publishedAt: Timestamp(milliseconds: head))
        roster.append(item, at: head, now)
    }
}

extension RosterRoom {
    /// The server's end of one member, which does what a session does about its feeds.
    final class Member: WebSocketHandler {
        let maximumMessageBytes = 1 << 10
        private(set) var webSocket: WebSocketConnection?
        private(set) var membership: FeedMembership?
        /// Up to where it knows the feed when it subscribes.
        private var known: Int64 = 0
        private var isEnding = false

        func subscribe(to roster: FeedRoster, after known: Int64, _ on: borrowing OnShard) {
            guard let webSocket, membership == nil else { return }
            self.known = known
            let membership = FeedMembership(
                roster: roster, webSocket: webSocket,
                subscription: FeedSubscription(catchUp: 1, maximumQueuedBytes: RosterRoom.maximumQueuedBytes),
                tags: [], pass: .open)
            self.membership = membership
            roster.add(membership, on)
        }

        /// The catch-up was read as of `head`.
        func load(head: Int64, _ on: borrowing OnShard) {
            guard let webSocket, let membership else { return }
            webSocket.send(text: ServerFrame.gap(feed: RosterRoom.feed, from: known + 1, to: head), on)
            for frame in membership.subscription.loaded(head: head) { webSocket.send(frame, on) }
            catchUp(on)
        }

        /// Says the last word as soon as everything before it was told.
        func end(_ on: borrowing OnShard) {
            isEnding = true
            catchUp(on)
        }

        private func catchUp(_ on: borrowing OnShard) {
            guard let webSocket, let membership else { return }
            guard webSocket.backlog == 0 else { return catchUpNextTurn(webSocket, on) }
            if let gap = membership.subscription.drained() {
                webSocket.send(text: ServerFrame.gap(feed: RosterRoom.feed, from: gap.from, to: gap.to), on)
            }
            if isEnding { webSocket.send(text: Array(#"{"type":"end"}"#.utf8), on) }
            isEnding = false
        }

        /// A socket that takes all at once is never told as drained.
        private func catchUpNextTurn(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
            guard webSocket.refusedBytes == 0 else { return }
            webSocket.reference(on).post { handler, on in (handler as? Member)?.catchUp(on) }
        }

        func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) { self.webSocket = webSocket }
        func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {}
        func isAlive(_ on: borrowing OnShard) {}
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) { catchUp(on) }

        func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
            if let membership { membership.roster.remove(membership) }
            (membership, webSocket) = (nil, nil)
        }
    }

    /// The items that one reader was told.
    final class Reader: Sendable {
        struct State {
            var webSocket: WebSocketConnection?
            /// Offsets of items, and of what gaps and catch-ups cover, in order.
            var offsets: [Int64] = []
            let opened: @Sendable () -> Void
            let ended: AsyncStream<[Int64]>.Continuation
        }

        let state: QueueBound<State>
        private let shard: Shard
        private let ends: AsyncStream<[Int64]>

        init(on shard: Shard, opened: @escaping @Sendable () -> Void) {
            let (ends, ended) = AsyncStream.makeStream(of: [Int64].self)
            (self.shard, self.ends) = (shard, ends)
            state = QueueBound(State(opened: opened, ended: ended), on: shard.queue)
        }

        func setReading(_ isReading: Bool) {
            shard.post { [state] on in state.withState { $0.webSocket }?.setReading(isReading, on) }
        }

        /// Reads nothing from its return on.
        func pause() async {
            await withCheckedContinuation { continuation in
                shard.post { [state] on in
                    state.withState { $0.webSocket }?.setReading(false, on)
                    continuation.resume()
                }
            }
        }

        /// The offsets so far; the server's shard has nothing to do with them.
        func offsetsSoFar() async -> [Int64] {
            await withCheckedContinuation { continuation in
                shard.post { [state] _ in continuation.resume(returning: state.withState { $0.offsets }) }
            }
        }

        /// All that it was told, once the last word has come.
        func offsets() async -> [Int64] {
            for await offsets in ends { return offsets }
            return []
        }
    }

    private final class ReaderEnd: WebSocketHandler {
        let maximumMessageBytes = 1 << 20
        private let state: QueueBound<Reader.State>

        init(_ state: QueueBound<Reader.State>) { self.state = state }

        func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
            state.withState { $0.webSocket = webSocket }
            state.withState { $0.opened }()
        }

        func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
            guard let frame = try? ReceivedFrame(parsing: Array(text)) else {
                Issue.record("no frame")
                return
            }
            state.withState { state in
                switch frame.type {
                case "item": state.offsets.append(frame.object["offset"]?.int ?? 0)
                case "gap":
                    guard let from = frame.object["from"]?.int, let to = frame.object["to"]?.int else { return }
                    if from <= to { state.offsets += from...to }
                default: state.ended.yield(state.offsets)
                }
            }
        }

        func isAlive(_ on: borrowing OnShard) {}
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) {}
        func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) { state.withState { $0.webSocket = nil } }
    }
}
