import Inbox
import Store
package import Transport
package import WireProtocol

/// The service of the public listener: the live protocol, the apps' REST endpoints and the JavaScript client.
package final class PublicService: HTTPService {
    /// What serves an endpoint, and whom.
    enum Handler: Sendable {
        /// Anybody, with the same answer, even while the node leaves.
        case always(HTTPResponse)
        /// A client that begins a session; its token may come in several ways.
        case session
        /// The same, over an event stream.
        case events
        /// The same, by long polls.
        case poll
        /// Anybody; the head is enough.
        case anybody(@Sendable (HTTPRequestHead) -> HTTPResponse)
        /// The token's user.
        ///
        /// - Parameter early: the answer to a request whose head is enough; nil for others.
        case user(
            early: @Sendable (Node, UserID, HTTPRequestHead) -> HTTPResponse? = { _, _, _ in nil },
            @Sendable (UserCall) throws(Problem) -> Void)
        /// As `user`, about a session that is open: even while the node leaves, and nothing but sessions is left.
        case polled(@Sendable (UserCall) throws(Problem) -> Void)
        /// As `user`, and a caller without a token where the settings allow it.
        case guest(
            isAllowed: @Sendable (Settings.Auth) -> Bool,
            @Sendable (GuestCall) throws(Problem) -> Void)

        /// Whether an answer begins a session or takes frames from one, which a `HEAD` must not (RFC 9110 §9.2.1).
        var answersOnlyGET: Bool {
            switch self {
            case .events, .poll, .polled: true
            case .always, .anybody, .user, .guest, .session: false
            }
        }
    }

    private static let router = Router(routes)

    /// The memory for recently verified tokens, on all shards together.
    private static let bytesOfKnown = 32 << 20

    let node: Node
    private let live: LiveShard
    private let origins: OriginRules
    private let crossOrigin: CrossOrigin?
    private let originRefusals: OriginRefusals
    let applicationServerKey: String?
    private let demo: Demo?
    /// For requests only: a session brings its token once, and keeping it here would be useless.
    private var known: KnownAuthorizations

    /// - Parameters:
    ///   - origins: whose pages may open sessions.
    ///   - crossOrigin: which pages of other origins may call the REST endpoints; nil for none.
    ///   - originRefusals: hears of refused pages; shared by all shards.
    ///   - applicationServerKey: the key that browsers subscribe with: our VAPID public key, an uncompressed point in
    ///     base64url (RFC 8292 §3.2); nil if Web Push is not set up.
    ///   - demo: nil unless in development.
    init(
        node: Node, live: LiveShard, origins: OriginRules, crossOrigin: CrossOrigin?, originRefusals: OriginRefusals,
        applicationServerKey: String?, demo: Demo?
    ) {
        self.node = node
        self.live = live
        self.origins = origins
        self.crossOrigin = crossOrigin
        self.originRefusals = originRefusals
        self.applicationServerKey = applicationServerKey
        self.demo = demo
        known = KnownAuthorizations(
            maximumCount: 10_000, maximumBytes: Self.bytesOfKnown / Server.shardCount(node.settings))
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        switch Self.router.match(head) {
        case .unserved(let answer):
            return demo?.receive(head, from: peer) ?? .answer(preflightAnswer(head) ?? answer)
        case .found(let handler, _) where head.method == "HEAD" && handler.answersOnlyGET:
            return .answer(Problem.methodNotAllowed(["GET"]).response.adding("Allow", "GET"))
        case .found(.always(let answer), _): return .answer(answer)
        case .found(.polled(let serve), let parameters) where !node.isReady:
            return authenticated(head, at: node.now()) { collect(as: $0, parameters, serve) }
        case .found(_, _) where !node.isReady: return .answer(Problem(.closed).response)
        case .found(.session, _): return openSession(head, on)
        case .found(.events, _): return openEvents(head, from: peer, on)
        case .found(let handler, let parameters):
            let now = node.now()
            // Before a token is verified, which costs more than the answers that need none.
            if let seconds = peer.address.flatMap({ node.addressRate.refuse($0.client, at: now) }) {
                return .answer(Problem.tooFast(seconds).response)
            }
            return serve(handler, parameters, head, from: peer, at: now)
        }
    }

    private func serve(
        _ handler: Handler, _ parameters: [String], _ head: HTTPRequestHead, from peer: Peer, at now: Timestamp
    ) -> HTTPDisposition {
        switch handler {
        case .always(let answer): return .answer(answer)
        case .poll: return authenticated(head, at: now) { openPoll(head, from: peer, as: $0) }
        case .session, .events: return .answer(Problem.notFound.response)
        case .anybody(let answer): return .answer(answer(head))
        case .user(let early, let serve):
            return authenticated(head, at: now) { credentials in
                if let answer = early(node, credentials.user, head) {
                    assert(
                        Self.router.route(for: head)?.answers.allow(answer) == true, "its route declares no such answer"
                    )
                    return .answer(answer)
                }
                return collect(as: credentials, parameters, serve)
            }
        case .polled(let serve):
            return authenticated(head, at: now) { collect(as: $0, parameters, serve) }
        case .guest(let isAllowed, let serve):
            guard head.headers["Authorization"] == nil,
                let app = node.settings.app(ofGuest: head.query, where: isAllowed)
            else {
                return authenticated(head, at: now) { credentials in
                    collect(as: Guest(credentials: credentials, app: credentials.user.app), parameters, serve)
                }
            }
            return collect(as: Guest(credentials: nil, app: app), parameters, serve)
        }
    }

    private func collect<Caller>(
        as caller: Caller, _ parameters: [String],
        _ serve: @escaping @Sendable (PublicCall<Caller>) throws(Problem) -> Void
    ) -> HTTPDisposition {
        .collect { [self] request, reply, on in
            let reply = Self.router.checked(reply, to: request.head)
            let call = PublicCall(
                service: self, caller: caller, parameters: parameters, request: request, reply: reply)
            do throws(Problem) { try serve(call) } catch { reply.send(error.authenticated, on) }
        }
    }

    // MARK: Who asks

    /// The answer to a browser that asks whether a page may call this path; nil for any other request, and if no page
    /// of another origin may call. The browser brings no token, and the answer depends on none.
    private func preflightAnswer(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard CrossOrigin.isPreflight(head) else { return nil }
        let methods = Self.router.methods(at: head.segments)
        guard !methods.isEmpty else { return nil }
        if let crossOrigin, crossOrigin.allows(head) { return crossOrigin.permission(for: methods, asked: head) }
        originRefusals.note(head.headers.values("Origin"))
        return crossOrigin == nil ? nil : Problem.forbiddenOrigin.response
    }

    /// - Parameter decide: handles the request of the token's user.
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

    // MARK: Live

    /// A token in the header is checked before the upgrade, one in a subprotocol after it. A browser can read a close
    /// code, but not the answer to a refused handshake.
    private func openSession(_ head: HTTPRequestHead, _ on: borrowing OnShard) -> HTTPDisposition {
        if let refusal = originRefusal(head) { return refusal }
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
            // A client without any subprotocol counts as one of this version.
            if acceptance.subprotocol == nil, !versions.isEmpty { refusal = .unsupportedVersion }
            return .upgrade(
                acceptance,
                LiveSession(
                    live: live, credentials: credentials, refusal: refusal, problem: tokenProblem, at: on.now))
        } catch {
            return .answer(error.response)
        }
    }

    /// An event stream. Its token is checked before the answer: a client can read the status of a refusal.
    private func openEvents(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        if let refusal = originRefusal(head) { return refusal }
        let now = node.now()
        let token = head.headers["Authorization"] == nil ? queryToken(head) : nil
        let verified =
            token.map { node.authenticator.verify($0, at: now) }
            ?? node.authenticator.verify(authorization: head.headers["Authorization"], at: now)
        switch verified {
        case nil: return .answer(Problem.unauthorized(nil).authenticated)
        case .failure(let problem): return .answer(Problem.unauthorized(problem).authenticated)
        case .success(let credentials):
            guard node.presence.hasRoom(for: credentials.user) else {
                return .answer(Problem.tooManySessions.response)
            }
            do throws(Problem) {
                let frames = try EventStreamRequest(head).frames
                return .events(
                    EventStreamRequest.answer,
                    LiveSession(
                        live: live, credentials: credentials, refusal: nil, client: StreamExtras(.eventStream),
                        frames: frames,
                        at: on.now))
            } catch {
                return .answer(error.response)
            }
        }
    }

    /// The first of a session's polls.
    private func openPoll(
        _ head: HTTPRequestHead, from peer: Peer, as credentials: Credentials
    ) -> HTTPDisposition {
        if let refusal = originRefusal(head) { return refusal }
        guard node.presence.hasRoom(for: credentials.user) else { return .answer(Problem.tooManySessions.response) }
        do throws(Problem) {
            let frames = try EventStreamRequest(head).frames
            return .collect { [live] _, reply, on in
                PollSession.open(as: credentials, frames, from: peer, at: live, reply, on)
            }
        } catch {
            return .answer(error.response)
        }
    }

    /// The answer to a page of an origin that may not connect; nil for any other client.
    private func originRefusal(_ head: HTTPRequestHead) -> HTTPDisposition? {
        if origins.allow(head.headers) || demo?.isAsked(by: head) == true { return nil }
        originRefusals.note(head.headers.values("Origin"))
        return .answer(Problem.forbiddenOrigin.response)
    }

    /// Off by default, as URLs end up in logs.
    private func queryToken(_ head: HTTPRequestHead) -> BearerToken? {
        node.settings.live.tokenInQuery ? head.query["token"].flatMap { BearerToken($0) } : nil
    }
}
