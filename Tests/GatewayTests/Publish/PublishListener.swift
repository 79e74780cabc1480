import CLinux
import Dispatch
import Foundation
import Gateway
import Glibc
import Inbox
import Logging
import Push
import Store
import Support
import Transport

/// The publishers' socket, or another service, in front of a store of the test's choice.
final class PublishListener: Sendable {
    static let secret = Secret(String(repeating: "x", count: 40))

    let node: Node
    private let path: String
    private let shards: ShardGroup

    /// - Parameter lines: takes what is logged; nil for nobody.
    init(
        _ store: any Store, senders: [Device.Provider: any PushSender] = [:], maximumBytes: Int = 32 << 20,
        lines: JSONLogHandlerTests.Lines? = nil, serving service: (@Sendable (Node) -> any HTTPService)? = nil
    ) async throws {
        let authenticator = try await Authenticator(
            source: KeySource(secret: Self.secret),
            rules: Settings().auth.rules())
        var logger = Logger(label: "test") { _ in
            if let lines { JSONLogHandler { lines.append($0) } } else { SwiftLogNoOpLogHandler() }
        }
        logger.logLevel = lines == nil ? .critical : .info
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Config/catalogs/rooms.yaml")
        let catalogs = try LoadedCatalogs.read([file.path])
        var settings = Settings()
        settings.limits.stallTimeout = .patience
        settings.live.pongTimeout = .patience
        settings.live.helloTimeout = .patience
        node = Node(
            settings: settings, store: store, authenticator: authenticator, catalogs: catalogs,
            presence: Presence(maximumSessionsPerUser: 1), metrics: Metrics(), logger: logger,
            publishLoad: PublishLoad(maximumBytes: maximumBytes), now: { Timestamp(milliseconds: 1_800_000_000_000) })
        path = NSTemporaryDirectory() + "belfry-\(UUID().uuidString.prefix(8)).sock"
        shards = try ShardGroup(count: 1, poller: .epoll)
        let dispatcher = PushDispatcher(
            store: store, senders: senders, options: PushDispatcher.Options(), metrics: node.metrics, logger: logger,
            now: node.now)
        let hub = LiveHub(shards: shards.shards, node: node)
        let reloads = Reloads(node: node, hub: hub, dispatcher: dispatcher, certificates: [])
        let broadcaster = Broadcaster(node: node)
        let socket = try Listener.open(.unix(path: path))
        shards.shards[0].post { [node] on in
            let served =
                service?(node)
                ?? PublishingService(
                    node: node, hub: hub, dispatcher: dispatcher, broadcaster: broadcaster, reloads: reloads)
            _ = Listener(socket, serving: HTTPEndpoint(served, isLocal: true), on: on)
        }
    }

    func stop() async { await withCheckedContinuation { continuation in shards.stop { continuation.resume() } } }

    /// Runs `body` on the shard: what it posts there is taken in one turn.
    func onShard(_ body: @escaping @Sendable () -> Void) { shards.shards[0].post { _ in body() } }

    /// The whole answer as it came.
    func publish(_ body: String, type: String = "application/json") async throws -> String {
        try await exchange(
            "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    /// All answers as they came to publishes that are sent at once, without waiting for one.
    func publish(pipelined bodies: [String]) async throws -> String {
        let requests = bodies.enumerated().map { index, body in
            "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nConnection: \(index + 1 < bodies.count ? "keep-alive" : "close")\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        }
        return try await exchange(requests.joined())
    }

    /// The whole answer to a request without a body, or with one of JSON.
    func call(_ method: String, _ path: String, body: String = "") async throws -> String {
        try await exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    func isHealthy() async throws -> Bool {
        try await exchange("GET /healthz HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n").hasPrefix(
            "HTTP/1.1 200")
    }

    /// Writes as fast as it is read, and reads meanwhile, as programs with a thread for each do.
    private func exchange(_ request: String) async throws -> String {
        let descriptor = try connected()
        let writing = DispatchQueue(label: "belfry.test.write")
        writing.async {
            var rest = Array(request.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "belfry.test.read").async {
                var answer: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 64 << 10)
                while case let count = read(descriptor, &piece, piece.count), count > 0 {
                    answer.append(contentsOf: piece[..<count])
                }
                writing.sync {}  // the number must not be somebody else's while it is written to
                close(descriptor)
                continuation.resume(returning: String(decoding: answer, as: UTF8.self))
            }
        }
    }

    private func connected() throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, code == 0 else { throw ServerError("cannot connect: errno \(errno)") }
        return descriptor
    }
}
