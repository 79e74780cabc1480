import Foundation
import Synchronization
import Testing

@testable import BelfryClient

/// The actor, over a network of the test's.
struct InboxTests {
    private static let ready: JSONValue = [
        "type": "ready", "epoch": "e1", "seq": 1, "unread": 1, "unseen": 1, "heartbeat": 25_000, "recovered": false,
        "limits": ["frames": 100, "framesWindow": 10_000],
    ]
    private static let reset: JSONValue = [
        "type": "reset", "epoch": "e1", "seq": 1, "unread": 1, "unseen": 1,
        "notifications": [["id": "n1", "rev": 1, "seq": 1, "displayText": "hello"]],
    ]

    private static func inbox(
        _ network: Network, address: String = "wss://push.example", clock: InboxClock = .system,
        token: @escaping Inbox.TokenSource = { _ in "token-1" }
    ) throws -> Inbox {
        var options = InboxOptions()
        options.transport = network
        options.clock = clock
        options.http = { _ in throw URLError(.notConnectedToInternet) }
        return Inbox(url: try #require(URL(string: address)), options: options, token: token)
    }

    /// In step.
    private static func live(_ network: Network) async throws -> Inbox {
        let inbox = try inbox(network)
        let socket = try await network.next()
        socket.tell(.opened)
        socket.tell(.received(ready.text))
        socket.tell(.received(reset.text))
        for await snapshot in await inbox.snapshots where snapshot.isSynced { break }
        return inbox
    }

    @Test func `a command is carried over the socket, and its answer ends the call`() async throws {
        let network = Network()
        let inbox = try await Self.live(network)
        #expect(network.urls == ["wss://push.example/v1/live"])
        async let done: Void = inbox.read(["n1"])
        let socket = try await network.newest()
        let frame = try await socket.sent("read")
        #expect(await inbox.badge == 0)
        socket.tell(.received(JSONValue.object(["type": "ok", "id": frame["id"] ?? .null]).text))
        try await done
        await inbox.close()
    }

    @Test func `an answer ends its call once it is stored, and shows nothing before the server tells it`() async throws
    {
        let network = Network()
        let inbox = try await Self.live(network)
        async let done: Void = inbox.answer("n1", "approve")
        let socket = try await network.newest()
        let frame = try await socket.sent("answer")
        #expect(frame["notification"] == "n1" && frame["action"] == "approve" && frame["ids"] == nil)
        #expect(await inbox.badge == 1)
        socket.tell(.received(JSONValue.object(["type": "ok", "id": frame["id"] ?? .null]).text))
        try await done
        await inbox.close()
    }

    @Test(arguments: ["already_answered", "too_late"])
    func `an answer where another one stands throws the server's code`(_ code: String) async throws {
        let network = Network()
        let inbox = try await Self.live(network)
        let waiting = Task { try await inbox.answer("n1", "approve") }
        let socket = try await network.newest()
        let frame = try await socket.sent("answer")
        let error: JSONValue = ["type": "error", "id": frame["id"] ?? .null, "code": .string(code), "message": "no"]
        socket.tell(.received(error.text))
        await #expect(throws: BelfryError(code: code, message: "no")) { try await waiting.value }
        await inbox.close()
    }

    @Test func `an app that closes it ends sequences and calls, and the socket`() async throws {
        let network = Network()
        let inbox = try await Self.live(network)
        let (snapshots, changes) = (await inbox.snapshots, await inbox.changes)
        let feed = await inbox.feed("posts")
        let waiting = Task { try await inbox.read(["n1"]) }
        let socket = try await network.newest()
        _ = try await socket.sent("read")
        await inbox.close()
        await #expect(throws: BelfryError(code: "closed")) { try await waiting.value }
        await #expect(throws: BelfryError(code: "closed")) { try await inbox.more() }
        var last: InboxSnapshot?
        for await snapshot in snapshots { last = snapshot }
        #expect(last?.status == .stopped(.closed) && last?.isSynced == false)
        var told: [InboxChange] = []
        for await change in changes { told.append(change) }
        #expect(told.last == .status(.stopped(.closed)))
        for try await _ in feed { Issue.record("nothing comes of a feed any more") }
        for await _ in await inbox.changes { Issue.record("nothing changes any more") }
        try await socket.closed()
    }

    @Test func `an inbox that nobody keeps gives its socket up`() async throws {
        let network = Network()
        var inbox: Inbox? = try await Self.live(network)
        let socket = try await network.newest()
        #expect(await inbox?.snapshot.unread == 1)
        inbox = nil
        try await socket.closed()
    }

    @Test(arguments: ["push.example", "ftp://push.example", "wss:///"])
    func `an address that is none stops the client, and says so`(_ address: String) async throws {
        let inbox = try Self.inbox(Network(), address: address)
        var last: InboxSnapshot?
        for await snapshot in await inbox.snapshots { last = snapshot }
        #expect(last?.status == .stopped(.invalidAddress))
    }

    @Test func `the client stops if nobody is signed in`() async throws {
        let inbox = try Self.inbox(Network()) { _ in nil }
        for await change in await inbox.changes { #expect(change == .status(.stopped(.signedOut))) }
        await #expect(throws: BelfryError(code: "signed_out")) { try await inbox.explain("n1") }
    }

    @Test func `a closure that throws is asked again after a wait, and calls say that there is no token`() async throws
    {
        let network = Network()
        let (waits, told) = AsyncStream.makeStream(of: Int64.self)
        let sleep: @Sendable (Int64) async throws -> Void = { delay in
            told.yield(delay)
            if delay == 500 { return }
            // Until the timer is cancelled.
            for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
            throw CancellationError()
        }
        let clock = InboxClock(now: { 1_750_000_000_000 }, sleep: sleep, chance: { 0.5 })
        let answers = Answers()
        let inbox = try Self.inbox(network, clock: clock) { _ in try await answers.next() }
        let socket = try await network.next()
        socket.tell(.opened)
        #expect(try await socket.sent("hello")["token"] == "token-2")
        await inbox.close()
        var first: [Int64] = []
        for await wait in waits.prefix(2) { first.append(wait) }
        #expect(first.contains(500), "half of the first second, by chance")
    }

    @Test func `messages that are no frames are passed over`() async throws {
        let network = Network()
        let inbox = try await Self.live(network)
        let socket = try await network.newest()
        for text in ["", "{", "[]", #"{"type":"someday"}"#] { socket.tell(.received(text)) }
        socket.tell(.received(#"{"type":"beat","seq":1,"unread":1}"#))
        async let done: Void = inbox.seen()
        let frame = try await socket.sent("seen")
        socket.tell(.received(JSONValue.object(["type": "ok", "id": frame["id"] ?? .null]).text))
        try await done
        #expect(await inbox.snapshot.isSynced)
        await inbox.close()
    }

    @Test func `a request that gets no answer is a fault of the network`() async throws {
        let network = Network()
        let inbox = try await Self.live(network)
        await #expect {
            _ = try await inbox.preferences()
        } throws: { error in
            (error as? BelfryError)?.code == "network" && (error as? BelfryError)?.isTemporary == true
        }
        await inbox.close()
    }
}

/// The app's answers: first an error, then a token.
private actor Answers {
    private var count = 0

    func next() throws -> String {
        count += 1
        if count == 1 { throw URLError(.timedOut) }
        return "token-\(count)"
    }
}

/// Opens sockets whose other end the test holds.
private final class Network: LiveTransport {
    private let state = Mutex(State())
    private let opened: AsyncStream<Socket>
    private let opening: AsyncStream<Socket>.Continuation

    private struct State {
        var urls: [String] = []
        var newest: Socket?
    }

    init() { (opened, opening) = AsyncStream.makeStream(of: Socket.self) }

    var urls: [String] { state.withLock { $0.urls } }

    func open(
        _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) -> any LiveSocket {
        let socket = Socket(listener)
        state.withLock { state in
            state.urls.append(url.absoluteString)
            state.newest = socket
        }
        opening.yield(socket)
        return socket
    }

    /// The next socket that is opened.
    func next() async throws -> Socket {
        for await socket in opened { return socket }
        throw Surprise()
    }

    /// The socket that was opened last.
    func newest() async throws -> Socket { try #require(state.withLock { $0.newest }) }
}

private struct Socket: LiveSocket {
    let tell: @Sendable (LiveSocketEvent) -> Void
    private let frames: AsyncStream<String>
    private let sending: AsyncStream<String>.Continuation

    init(_ listener: @escaping @Sendable (LiveSocketEvent) -> Void) {
        tell = listener
        (frames, sending) = AsyncStream.makeStream(of: String.self)
    }

    func send(_ text: String) { sending.yield(text) }
    func close() { sending.finish() }

    /// The next frame of this type; others are passed over.
    func sent(_ type: String) async throws -> JSONValue {
        for await text in frames {
            let frame = try JSONValue(parsing: Data(text.utf8))
            if frame["type"]?.string == type { return frame }
        }
        throw Surprise()
    }

    /// Waits for the client's end of it.
    func closed() async throws { for await _ in frames {} }
}
