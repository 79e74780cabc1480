import EngineClient
import Foundation
import Gateway
import Inbox
import JSON
import Logging
import Push
import Support
import Transport
import WireProtocol

/// A whole server on ports of its own, with the catalog of the rooms app; what a test needs to be its backend and its
/// apps.
final class TestServer: Sendable {
    let server: Server
    private let folder: String
    private let clients: ShardGroup
    private let http: HTTPClient
    private let issuer: TokenIssuer

    init(_ poller: PollerKind = .epoll, _ change: (inout Settings) -> Void = { _ in }) async throws {
        folder = NSTemporaryDirectory() + "belfry-server-" + UUID().uuidString
        var settings = Settings()
        settings.listen = .tcp(host: "127.0.0.1", port: 0)
        settings.ops = .tcp(host: "127.0.0.1", port: 0)
        settings.data = folder
        settings.shards = 2
        settings.poller = poller == .epoll ? .epoll : .dispatch
        settings.isDevelopment = true
        // Nobody is given up because a busy machine holds them up.
        settings.limits.stallTimeout = .patience
        settings.limits.headTimeout = .patience
        settings.limits.bodyTimeout = .patience
        settings.limits.bodyStallTimeout = .patience
        settings.live.pongTimeout = .patience
        settings.live.helloTimeout = .patience
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Config/catalogs/rooms.yaml")
        settings.catalogs = [file.path]
        change(&settings)
        var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        server = try await Server(settings, logger: logger)
        clients = try ShardGroup(count: 1, poller: .epoll)
        http = try HTTPClient()
        issuer = try TokenIssuer(secret: DevelopmentSecret.load(in: folder), rules: settings.auth.rules())
    }

    /// - Parameter clientsFirst: otherwise the server waits for them to leave, for two seconds at most.
    func stop(clientsFirst: Bool = true) async {
        if clientsFirst { await clients.stopped }
        await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
        if !clientsFirst { await clients.stopped }
        try? FileManager.default.removeItem(atPath: folder)  // what stays behind is the system's to clear
    }

    func token(_ user: String, claims: JSONObject = [:]) throws -> String {
        try issuer.token(
            for: UserID(user) ?? TestServer.nobody(), at: server.node.now(), lifetime: .seconds(600),
            claims: claims)
    }

    private static func nobody() throws -> UserID { throw ServerError("a test's user needs a name") }

    // MARK: The backend

    func publish(_ json: String) async throws -> HTTPClientResponse {
        try await send("POST", "http://belfry/v1/events", body: json, socket: server.addresses.socket.description)
    }

    /// Any other call on the Unix socket.
    func admin(_ method: String, _ path: String, body: String = "") async throws -> HTTPClientResponse {
        try await send(method, "http://belfry\(path)", body: body, socket: server.addresses.socket.description)
    }

    func publishItem(_ json: String, to feed: String) async throws -> HTTPClientResponse {
        try await send(
            "POST", "http://belfry/v1/feeds/\(feed)/items", body: json, socket: server.addresses.socket.description)
    }

    // MARK: The apps

    func call(
        _ method: String, _ path: String, as user: String, claims: JSONObject = [:], body: String = "",
        headers: [(String, String)] = []
    ) async throws -> HTTPClientResponse {
        try await call(method, path, token: token(user, claims: claims), body: body, headers: headers)
    }

    func call(
        _ method: String, _ path: String, token: String, body: String = "", headers: [(String, String)] = []
    ) async throws -> HTTPClientResponse {
        try await send(
            method, "http://\(server.addresses.listen)\(path)", body: body,
            headers: headers + [("Authorization", "Bearer \(token)")])
    }

    func callWithoutToken(_ method: String, _ path: String, body: String = "") async throws -> HTTPClientResponse {
        try await send(method, "http://\(server.addresses.listen)\(path)", body: body)
    }

    private func send(
        _ method: String, _ url: String, body: String, headers: [(String, String)] = [], socket: String? = nil
    ) async throws -> HTTPClientResponse {
        let request = HTTPClientRequest(
            method: method, url: url, headers: headers, body: Array(body.utf8), timeout: .patience,
            socketPath: socket)
        return try await withCheckedThrowingContinuation { continuation in
            http.send(request) { continuation.resume(with: $0) }
        }
    }

    /// Opens a session and waits for its `ready`.
    func session(
        of user: String, claims: JSONObject = [:], resume: ClientFrame.Hello.Resume? = nil, isActive: Bool = true,
        acknowledges: Bool = false
    ) async throws -> TestSession {
        let options = LiveClient.Options(
            url: try WebSocketURL("ws://\(server.addresses.listen)"), token: try token(user, claims: claims),
            resume: resume, isActive: isActive, acknowledges: acknowledges, silenceGrace: .patience)
        let session = TestSession(options, on: clients.next)
        _ = try await session.next("ready")
        return session
    }
}

/// One live session of a test; frames wait until the test asks for them.
final class TestSession: Sendable {
    /// Something other than the frame that the test expects.
    struct Surprise: Error {
        let what: String
    }

    private let shard: Shard
    private let client: QueueBound<LiveClient>
    private let events: AsyncStream<LiveClient.Event>

    init(_ options: LiveClient.Options, on shard: Shard) {
        self.shard = shard
        let (events, continuation) = AsyncStream.makeStream(of: LiveClient.Event.self)
        self.events = events
        client = QueueBound(LiveClient(options) { event, _ in continuation.yield(event) }, on: shard.queue)
        shard.post { [client] on in client.withState { $0 }.connect(on) }
    }

    func send(_ kind: ClientFrame.Kind, id: String? = nil) {
        shard.post { [client] on in client.withState { $0 }.send(ClientFrame(id: id, kind), on) }
    }

    func close() { shard.post { [client] on in client.withState { $0 }.close(on) } }

    /// The next frame, whatever its type. Heartbeats are passed over, because they come only if a test is slow.
    func next() async throws -> ReceivedFrame { try await next(passingOver: "beat") }

    /// The next frame, which must be of this type. Heartbeats are passed over unless they are expected.
    func next(_ type: String) async throws -> ReceivedFrame {
        let frame = try await next(passingOver: type == "beat" ? nil : "beat")
        guard frame.type == type else { throw Surprise(what: String(decoding: frame.json, as: UTF8.self)) }
        return frame
    }

    private func next(passingOver type: String?) async throws -> ReceivedFrame {
        for await event in events {
            guard case .frame(let frame) = event else { throw Surprise(what: "\(event)") }
            if frame.type != type { return frame }
        }
        throw Surprise(what: "the end")
    }

    /// The code with which the session is closed; frames before it are passed over.
    func closeCode() async throws -> UInt16 {
        for await event in events {
            if case .closed(let code) = event { return code }
        }
        throw Surprise(what: "the end")
    }
}

/// Events as the rooms app's backend publishes them.
enum RoomsEvent {
    static func liked(by actor: String = "pete", to owner: String, key: String? = nil) -> String {
        let key = key.map { #""key": "\#($0)", "# } ?? ""
        return #"""
            {\#(key)"type": "room_liked", "actor": {"id": "user-\#(actor)", "username": "\#(actor)", "firstName": "P"},
             "to": {"owner": ["\#(owner)"]}, "data": {"room": {"id": "room-1", "name": "Italy Trip"}}}
            """#
    }

    static func added(photos: Int, videos: Int = 0, to user: String) -> String {
        let photo = #"{"kind": "photo", "thumbnailUrl": "https://example.com/p.jpg"}"#
        let video = #"{"kind": "video", "thumbnailUrl": "https://example.com/v.jpg"}"#
        let elements = Array(repeating: photo, count: photos) + Array(repeating: video, count: videos)
        return #"""
            {"type": "element_added", "actor": {"id": "user-456", "username": "renee", "firstName": "Renee"},
             "to": {"participants": ["\#(user)"]},
             "data": {"room": {"id": "room-789", "name": "Awesome Fun"}, "elements": [\#(elements.joined(separator: ","))]}}
            """#
    }
}

extension HTTPClientResponse {
    var json: JSONValue { get throws { try JSONValue(parsing: body) } }
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension ShardGroup {
    /// Once all shards have stopped, which begins now.
    fileprivate var stopped: Void {
        get async { await withCheckedContinuation { continuation in stop { continuation.resume() } } }
    }
}
