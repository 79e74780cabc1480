import Inbox
import Storage
package import Transport
package import WireProtocol

/// What the public listener serves: the live protocol, the apps' REST endpoints and the JavaScript client.
package final class PublicService: HTTPService {
    private static let router = Router<PublicEndpoint>(table + ClientFiles.shared.table)
    private static let table: [(method: String, pattern: String, endpoint: PublicEndpoint)] = [
        ("GET", "/v1/live", .live),
        ("GET", "/api/notifications", .inbox(.list)),
        ("DELETE", "/api/notifications", .inbox(.clear)),
        ("GET", "/api/notifications/groups", .inbox(.groups)),
        ("GET", "/api/notifications/unread-count", .inbox(.unreadCount)),
        ("PUT", "/api/notifications/read", .inbox(.read)),
        ("PUT", "/api/notifications/read-all", .inbox(.readAll)),
        ("PUT", "/api/notifications/seen", .inbox(.seen)),
        ("PUT", "/api/notifications/player-id", .devices(.playerID)),
        ("POST", "/api/notifications/register-device", .devices(.registerDevice)),
        ("GET", "/api/notifications/preferences", .settings(.preferences)),
        ("PUT", "/api/notifications/preferences", .settings(.writePreferences)),
        ("GET", "/api/notifications/mutes", .settings(.mutes)),
        ("PUT", "/api/notifications/mutes/*", .settings(.mute)),
        ("DELETE", "/api/notifications/mutes/*", .settings(.unmute)),
        ("GET", "/api/notifications/quiet-hours", .settings(.quietHours)),
        ("PUT", "/api/notifications/quiet-hours", .settings(.writeQuietHours)),
        ("DELETE", "/api/notifications/quiet-hours", .settings(.endQuietHours)),
        ("PUT", "/api/notifications/snooze", .settings(.snooze)),
        ("DELETE", "/api/notifications/snooze", .settings(.endSnooze)),
        ("DELETE", "/api/notifications/*", .inbox(.remove)),
        ("GET", "/api/notifications/*/explain", .explain),
        ("GET", "/api/devices", .devices(.list)),
        ("PUT", "/api/devices/*", .devices(.register)),
        ("DELETE", "/api/devices/*", .devices(.remove)),
        ("PUT", "/api/devices/*/subscription", .devices(.subscribe)),
        ("GET", "/api/push/key", .devices(.pushKey)),
        ("GET", "/v1/feeds/*/items", .feed(.items)),
        ("GET", "/v1/feeds/*/viewed", .feed(.mark)),
        ("PUT", "/v1/feeds/*/viewed", .feed(.markViewed)),
        ("POST", "/api/notifications/poll", .poll),
        ("GET", "/api/posts/recent-tagged", .recentTagged),
        ("GET", "/healthz", .health),
    ]

    /// What tokens that were verified lately may take on all shards together.
    private static let bytesOfKnown = 32 << 20

    private let node: Node
    private let live: LiveShard
    private let origins: OriginRules
    private let crossOrigin: CrossOrigin?
    private let applicationServerKey: String?
    private let demo: Demo?
    /// Of requests alone: a session brings its token once, and would keep it here for nothing.
    private var known: KnownAuthorizations

    /// - Parameters:
    ///   - origins: whose pages may open sessions.
    ///   - crossOrigin: which pages of other origins may call the REST endpoints; nil for none.
    ///   - applicationServerKey: what browsers subscribe with: our VAPID public key, an uncompressed point in base64url
    ///     (RFC 8292 §3.2); nil where Web Push is not set up.
    ///   - demo: nil unless in development.
    init(
        node: Node, live: LiveShard, origins: OriginRules, crossOrigin: CrossOrigin?, applicationServerKey: String?,
        demo: Demo?
    ) {
        self.node = node
        self.live = live
        self.origins = origins
        self.crossOrigin = crossOrigin
        self.applicationServerKey = applicationServerKey
        self.demo = demo
        known = KnownAuthorizations(
            maximumCount: 10_000, maximumBytes: Self.bytesOfKnown / Server.shardCount(node.settings))
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        switch Self.router.match(head, \.parameters) {
        case .unserved(let answer):
            return demo?.receive(head, from: peer) ?? .answer(preflightAnswer(head) ?? answer)
        case .found(.health, _): return .answer(.text(200, "ok\n"))
        case .found(_, _) where !node.isReady: return .answer(Problem(.closed).response)
        case .found(.live, _): return openSession(head, on)
        case .found(let endpoint, let parameters):
            let now = node.now()
            // Before a token is verified, which costs more than what can be asked for without one.
            if let seconds = peer.address.flatMap({ node.addressRate.refuse($0.client, at: now) }) {
                return .answer(Problem.tooFast(seconds).response)
            }
            return serve(endpoint, parameters, head, at: now)
        }
    }

    private func serve(
        _ endpoint: PublicEndpoint, _ parameters: [String], _ head: HTTPRequestHead, at now: Timestamp
    ) -> HTTPDisposition {
        switch endpoint {
        case .devices(.registerDevice) where mayRegisterWithoutToken(head):
            return .collect { [node] request, reply, on in DeviceRoutes.registerKnown(node, request, reply, on) }
        case .devices(let endpoint):
            return authenticated(head, at: now) { credentials in
                let routes = DeviceRoutes(
                    node: node, user: credentials.user, applicationServerKey: applicationServerKey)
                return .collect { request, reply, on in routes.serve(endpoint, parameters, request, reply, on) }
            }
        case .inbox(let endpoint):
            return authenticated(head, at: now) { credentials in
                let routes = InboxRoutes(node: node, user: credentials.user)
                if let response = routes.answer(endpoint, head) { return .answer(response) }
                return .collect { request, reply, on in routes.serve(endpoint, parameters, request, reply, on) }
            }
        case .explain:
            return authenticated(head, at: now) { credentials in
                let route = ExplainRoute(node: node, user: credentials.user)
                return .collect { _, reply, on in route.serve(parameters[0], reply, on) }
            }
        case .settings(let endpoint):
            return authenticated(head, at: now) { credentials in
                let routes = PreferenceRoutes(node: node, user: credentials.user)
                return .collect { request, reply, on in routes.serve(endpoint, parameters, request, reply, on) }
            }
        case .feed(let endpoint):
            return authenticated(head, at: now) { credentials in
                let routes = FeedRoutes(node: node, credentials: credentials)
                return .collect { request, reply, on in routes.serve(endpoint, parameters[0], request, reply, on) }
            }
        case .live, .health: return .answer(Problem.notFound.response)
        case .client(let place): return .answer(ClientFiles.shared.answer(to: head, at: place))
        case .poll:
            return polling(head, at: now) { credentials in
                let route = PollRoute(node: node, credentials: credentials)
                return .collect { request, reply, on in route.serve(request, reply, on) }
            }
        case .recentTagged:
            return polling(head, at: now) { credentials in
                let route = RecentTaggedRoute(node: node, credentials: credentials)
                return .collect { request, reply, on in route.serve(request, reply, on) }
            }
        }
    }

    // MARK: Who asks

    /// The answer to a browser that asks whether a page may call this path; nil for any other request. It brings no
    /// token, and learns nothing that depends on one.
    private func preflightAnswer(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard let crossOrigin, crossOrigin.isPreflight(head) else { return nil }
        let methods = Self.router.methods(at: head.segments)
        guard !methods.isEmpty else { return nil }
        return crossOrigin.allows(head)
            ? crossOrigin.permission(for: methods, asked: head) : Problem.forbiddenOrigin.response
    }

    /// - Parameter decide: what becomes of the request of whoever its token names.
    private func authenticated(
        _ head: HTTPRequestHead, at now: Timestamp, _ decide: (Credentials) -> HTTPDisposition
    ) -> HTTPDisposition {
        let authorization = head.headers["Authorization"]
        switch node.authenticator.verify(authorization: authorization, knowing: &known, at: now) {
        case nil: return .answer(Problem.unauthorized(nil).authenticated)
        case .failure(let problem): return .answer(Problem.unauthorized(problem).authenticated)
        case .success(let credentials):
            guard let seconds = node.userRate.refuse(hash: credentials.userHash, at: now) else {
                return decide(credentials)
            }
            return .answer(Problem.tooFast(seconds).response)
        }
    }

    /// Like ``authenticated(_:at:_:)``; where the settings allow it, whoever brings no token is served too.
    private func polling(
        _ head: HTTPRequestHead, at now: Timestamp, _ decide: (Credentials?) -> HTTPDisposition
    ) -> HTTPDisposition {
        guard node.settings.auth.pollWithoutToken, head.headers["Authorization"] == nil else {
            return authenticated(head, at: now) { decide($0) }
        }
        return decide(nil)
    }

    private func mayRegisterWithoutToken(_ head: HTTPRequestHead) -> Bool {
        node.settings.auth.registerDeviceWithoutToken && head.headers["Authorization"] == nil
    }

    // MARK: Live

    /// A token in the header is judged before the upgrade; what is in a subprotocol after it, since a browser can read
    /// a close code but not the answer to a refused handshake.
    private func openSession(_ head: HTTPRequestHead, _ on: borrowing OnShard) -> HTTPDisposition {
        guard origins.allow(head.headers) || demo?.isAsked(by: head) == true else {
            return .answer(Problem.forbiddenOrigin.response)
        }
        let header = node.authenticator.verify(authorization: head.headers["Authorization"], at: node.now())
        if case .failure(let problem) = header { return .answer(Problem.unauthorized(problem).authenticated) }
        do throws(HandshakeFailure) {
            var offers: [String] = []
            let acceptance = try WebSocketHandshake.accept(head, deflate: live.deflateSettings) {
                offers = $0
                return $0.contains(LiveSubprotocol.name) ? LiveSubprotocol.name : nil
            }
            let token = BearerToken(subprotocols: offers) ?? queryToken(head)
            var (credentials, refusal): (Credentials?, LiveCloseCode?) = (nil, nil)
            var tokenProblem: TokenProblem?
            switch header ?? token.map({ node.authenticator.verify($0, at: node.now()) }) {
            case .success(let verified):
                guard node.presence.hasRoom(for: verified.user) else {
                    return .answer(Problem.tooManySessions.response)
                }
                credentials = verified
            case .failure(let problem): tokenProblem = problem  // until the hello, which may bring a better one
            case nil: break  // then the hello has to bring a token
            }
            let versions = offers.filter { !$0.hasPrefix(LiveSubprotocol.bearerPrefix) }
            // A client without any subprotocol is taken for one of this version.
            if acceptance.subprotocol == nil, !versions.isEmpty { refusal = .unsupportedVersion }
            return .upgrade(
                acceptance,
                LiveSession(
                    live: live, credentials: credentials, refusal: refusal, problem: tokenProblem, at: on.now))
        } catch {
            return .answer(error.response)
        }
    }

    /// Off by default: what is in a URL ends in logs.
    private func queryToken(_ head: HTTPRequestHead) -> BearerToken? {
        node.settings.live.tokenInQuery ? head.query["token"].flatMap { BearerToken($0) } : nil
    }
}
