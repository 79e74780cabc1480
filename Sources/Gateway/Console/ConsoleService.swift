import Inbox
import JSON
import Logging
import Store
import Synchronization
import Transport
import WireProtocol

/// The operators' console: its pages, its own calls, and those of the Unix socket for whoever may use it. Confined to
/// the operators' shard.
final class ConsoleService {
    /// The handler of an endpoint.
    enum Handler: Sendable {
        case file(String)
        /// For everybody who reaches the console: they learn whether they have to log in.
        case who, login, logout
        /// The beginning and the end of a login by a provider.
        case signIn, signedIn
        case live
        case call(@Sendable (ConsoleCall) throws(Problem) -> Void)
    }

    private static let router = Router(routes)
    /// Everything is loaded from here. Plots are drawn by attributes, so styles need no exception.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        + "trusted-types 'none'"
    private static let maximumLoginsPer10s = 10

    let node: Node
    let meter: ConsoleMeter
    let audit: AuditLog
    let publishing: PublishingService
    private let figures: ConsoleFigures
    private let failures: ConsoleFailures
    private let feed: ConsoleFeed
    private let access: ConsoleAccess
    private let sessions = ConsoleSessions()
    /// Nil without a provider that signs people in.
    private let signIn: ConsoleSignIn?
    private let signInRate = RequestRate(limit: ConsoleService.maximumLoginsPer10s)
    private let loginRate = RequestRate(limit: ConsoleService.maximumLoginsPer10s)
    private let files: [String: StaticFile]

    private typealias Action = (borrowing OnShard) -> Void
    /// The actions whose lines are on their way to the audit log, by a number of their own.
    private let waiting: QueueBound<[Int: Action]>
    private var actionCount = 0

    /// - Parameters:
    ///   - publishing: serves the calls of the Unix socket; of this shard.
    ///   - signIn: nil without a provider that signs people in.
    init(
        node: Node, publishing: PublishingService, shards: [Shard], edge: Edge, signIn: ConsoleSignIn?,
        _ on: borrowing OnShard
    ) {
        self.signIn = signIn
        waiting = QueueBound([:], on: on.shard.queue)
        self.node = node
        self.publishing = publishing
        meter = ConsoleMeter(node: node, shards: shards, edge: edge)
        figures = ConsoleFigures(node: node, edge: edge, shards: shards)
        failures = ConsoleFailures(node: node, dispatcher: publishing.dispatcher)
        feed = ConsoleFeed(node: node, meter: meter)
        audit = AuditLog(folder: node.settings.data, logger: node.logger)
        access = ConsoleAccess(node.settings.console)
        let headers = [
            ("Content-Security-Policy", Self.policy), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        files = Dictionary(
            uniqueKeysWithValues: Self.allFiles.map { name, content in
                (name, StaticFile(name: name, content: content, headers: headers))
            })
    }

    /// Its own files, those that it shares with the demo, and of the client's those that its pages use.
    static let allFiles =
        EmbeddedFiles.console + EmbeddedFiles.shared
        + EmbeddedFiles.client.filter { ["belfry.js", "belfry-elements.js"].contains($0.name) }

    /// Begins to take samples.
    func start(_ on: borrowing OnShard) { feed.start(on) }

    /// Nil for a path that is neither the console's nor one of the Unix socket.
    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition? {
        switch head.segments.first {
        case "console":
            switch Self.router.match(head) {
            case .unserved(let answer): return .answer(answer)
            case .found(let handler, let parameters): return serve(handler, parameters, head, peer)
            }
        case "v1": return receiveAdmin(head, from: peer)
        default: return nil
        }
    }

    private func serve(
        _ handler: Handler, _ parameters: [String], _ head: HTTPRequestHead, _ peer: Peer
    ) -> HTTPDisposition {
        switch handler {
        case .file(let name):
            if let problem = access.refusal(of: head, from: peer) { return .answer(problem.response) }
            return .answer(files[name]?.answer(to: head, caching: "no-cache") ?? Problem.notFound.response)
        case .who: return .answer(who(head, peer))
        case .login: return .collect { [self] request, reply, on in reply.send(login(request, peer), on) }
        case .logout:
            return .answer(HTTPResponse(status: 204).adding("Set-Cookie", sessions.end(for: head)))
        case .signIn: return beginSignIn(head)
        case .signedIn: return finishSignIn(head, peer)
        case .live: return openSocket(head, peer)
        case .call(let body):
            return permitted(head, peer, for: Self.demand(of: head)) { owner in
                .collect { [self] request, reply, on in
                    let reply = Self.router.checked(reply, to: request.head)
                    let call = ConsoleCall(
                        node: node, meter: meter, audit: audit, figures: figures, failures: failures, owner: owner,
                        address: peer.address.map { "\($0)" },
                        parameters: parameters,
                        request: request, reply: reply)
                    recorded(Self.router.route(for: head)?.path ?? "", parameters, head, owner, peer, reply, on) { on in
                        do throws(Problem) { try body(call) } catch { reply.send(error.response, on) }
                    }
                }
            }
        }
    }

    // MARK: The calls of the Unix socket

    private func receiveAdmin(_ head: HTTPRequestHead, from peer: Peer) -> HTTPDisposition {
        if let problem = Self.refusalOfPublishing(head) { return .answer(problem.response) }
        return permitted(head, peer, for: Self.demand(of: head)) { [self] owner in
            let (pattern, parameters, disposition) = publishing.receive(
                head, as: Publisher(peer: peer, record: nil, alias: "console"))
            guard case .collect(let serve) = disposition else { return disposition }
            return .collect { [self] request, reply, on in
                recorded(pattern, parameters, head, owner, peer, reply, on) { on in serve(request, reply, on) }
            }
        }
    }

    /// Whoever publishes is a backend. The console only tries events out. It may take an item away, and not replace one.
    private static func refusalOfPublishing(_ head: HTTPRequestHead) -> Problem? {
        guard ["POST", "PUT"].contains(head.method) else { return nil }
        let segments = head.segments.dropFirst()
        let isEvent = segments == ["events"] && head.query.values("dryRun") != ["true"]
        guard isEvent || segments.first == "feeds" else { return nil }
        return Problem(
            status: 403, code: "call_not_allowed",
            detail: "the console publishes nothing; expected ?dryRun=true for an event, or the Unix socket")
    }

    // MARK: Who may

    private static func demand(of call: HTTPRequestHead) -> ConsoleAccess.Demand {
        ["GET", "HEAD"].contains(call.method) ? .read : .action
    }

    /// Whether a call gets a line in the audit log.
    ///
    /// A dry run has the header, too, but changes nothing. An export only reads, but carries everything away.
    private static func isRecorded(_ head: HTTPRequestHead) -> Bool {
        let segments = head.segments
        if segments.starts(with: ["v1", "users"]), segments.last == "export" { return true }
        return demand(of: head) == .action && ![["v1", "events"], ["console", "render"]].contains(segments)
    }

    private func permitted(
        _ head: HTTPRequestHead, _ peer: Peer, for demand: ConsoleAccess.Demand,
        _ body: (ConsoleOperator) -> HTTPDisposition
    ) -> HTTPDisposition {
        switch judge(head, peer, for: demand) {
        case .allowed(let owner): body(owner)
        case .loginNeeded: .answer(Self.loginNeeded.response)
        case .refused(let problem): .answer(problem.authenticated)
        }
    }

    private func judge(_ head: HTTPRequestHead, _ peer: Peer, for demand: ConsoleAccess.Demand) -> ConsoleAccess.Verdict
    {
        access.judge(head, from: peer, for: demand) { cookie in
            sessions.owner(of: cookie, at: node.now())
        }
    }

    /// Runs an action once it is in the audit log, and any other call at once.
    private func recorded(
        _ pattern: String, _ parameters: [String], _ head: HTTPRequestHead, _ owner: ConsoleOperator, _ peer: Peer,
        _ reply: HTTPReply, _ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void
    ) {
        guard Self.isRecorded(head) else { return body(on) }
        let entry = AuditEntry(
            at: node.now(), who: owner, address: peer.address.map { "\($0)" }, action: "\(head.method) \(pattern)",
            subjects: parameters,
            query: head.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init))
        actionCount += 1
        let number = actionCount
        waiting.withState { $0[number] = body }
        audit.write(entry) { [waiting] isWritten in
            reply.post { on in
                let action = waiting.withState { $0.removeValue(forKey: number) }
                if isWritten { action?(on) } else { reply.send(Self.notRecorded.response, on) }
            }
        }
    }

    private static let loginNeeded = Problem(
        status: 401, code: "login_needed", detail: "expected a login at /console, or console.token as a bearer token")
    private static let notRecorded = Problem(
        status: 507, code: "audit_failed", detail: "the audit log cannot be written, so nothing was changed")

    // MARK: Logging in

    private func who(_ head: HTTPRequestHead, _ peer: Peer) -> HTTPResponse {
        let verdict = judge(head, peer, for: .page)
        if case .refused(let problem) = verdict { return problem.authenticated }
        return HTTPResponse.object { json in
            if case .allowed(let owner) = verdict {
                json.member("by", owner.way.rawValue)
                if let name = owner.name { json.member("name", name) }
            } else {
                json.member("loginNeeded", true)
            }
            json.member("takesPassword", access.takesPassword)
            if let signIn {
                json.key("signIn")
                json.object { json in
                    json.member("label", signIn.label)
                    json.member("url", signIn.url)
                }
            }
            json.member("node", node.settings.nodeName)
            json.member("isShared", node.store.isShared)
            json.member("apps", .array(node.apps.candidates.map { .string($0.text) }))
            json.member("version", Release.version)
        }.adding("Cache-Control", "no-store")
    }

    private func login(_ request: HTTPRequest, _ peer: Peer) -> HTTPResponse {
        let (head, now) = (request.head, node.now())
        do throws(Problem) {
            guard head.headers[ConsoleAccess.header] != nil, head.headers["Origin"] == nil || head.isOfSameOrigin else {
                throw Problem.forbiddenOrigin
            }
            if let seconds = loginRate.refuse(hash: 0, at: now) { throw .tooFast(seconds) }
            let body = try JSONBody(request.body)
            guard access.isPassword(try body.text("password")) else {
                node.logger.warning(
                    "a login at the console with a wrong password",
                    metadata: ["address": "\(peer.address.map { "\($0)" } ?? "local")"])
                throw Problem(status: 401, code: "wrong_password", detail: "this is not the password")
            }
            let owner = ConsoleOperator(name: try body.optionalText("name"), way: .password)
            return HTTPResponse(status: 204).adding(
                "Set-Cookie", sessions.begin(owner, isSecure: ConsoleSessions.isSecure(head), at: now))
        } catch {
            return error.response
        }
    }

    private func beginSignIn(_ head: HTTPRequestHead) -> HTTPDisposition {
        guard let signIn else { return .answer(Problem.notFound.response) }
        // An image or a frame of another site must not use the logins up that may begin in ten seconds.
        guard ["document", nil].contains(head.headers["Sec-Fetch-Dest"]) else {
            return .answer(Problem.forbiddenOrigin.response)
        }
        guard signInRate.refuse(hash: 0, at: node.now()) == nil else {
            return .answer(ConsoleSignIn.page(telling: SignInProblem(.tooMany)))
        }
        return .collect { _, reply, _ in Task { reply.send(await signIn.begin()) } }
    }

    private func finishSignIn(_ head: HTTPRequestHead, _ peer: Peer) -> HTTPDisposition {
        guard let signIn else { return .answer(Problem.notFound.response) }
        return .collect { [sessions] _, reply, _ in
            Task { reply.send(await signIn.finish(head, from: peer, in: sessions)) }
        }
    }

    // MARK: Live

    private func openSocket(_ head: HTTPRequestHead, _ peer: Peer) -> HTTPDisposition {
        permitted(head, peer, for: .page) { _ in
            guard access.allowsSocket(head) else { return .answer(Problem.forbiddenOrigin.response) }
            guard let socket = feed.newSocket() else { return .answer(Problem.tooManySessions.response) }
            do throws(HandshakeFailure) {
                return .upgrade(try WebSocketHandshake.accept(head, deflate: nil) { _ in nil }, socket)
            } catch {
                return .answer(error.response)
            }
        }
    }
}
