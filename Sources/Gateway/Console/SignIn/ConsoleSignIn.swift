import Inbox
import JSON
import Logging
import Synchronization
import Transport
import WireProtocol

/// Signs operators in by an OpenID Connect provider: the authorization code flow with PKCE. From any thread; it waits
/// for the provider in tasks, and on no shard.
final class ConsoleSignIn: Sendable {
    static let loginPath = "/console/oidc/login"
    static let callbackPath = "/console/oidc/callback"
    /// Binds a login to the browser that has begun it. Only the callback gets it.
    static let cookie = "belfry_sign_in"
    /// For each answer of the provider.
    private static let timeout = Duration.seconds(5)
    private static let answerBytes = 256 << 10
    /// Bounds for how long the provider's settings are used, whatever its headers say.
    private static let (shortestAge, longestAge) = (Duration.seconds(60), Duration.seconds(3_600))

    /// What the button calls the provider.
    let label: String
    /// Where the button leads: at the callback's host, whose cookie is needed there.
    let url: String
    private let issuer: ProviderURL
    private let client: SignInClient
    private let rules: SignInRules
    private let secretFile: String?
    private let keys: SignInKeys
    private let http: HTTPClient
    private let isSecure: Bool
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let machine: Mutex<SignInMachine>
    private let endpoints = Mutex<(known: SignInEndpoints, end: ContinuousClock.Instant)?>(nil)

    /// Nil if the settings name no provider.
    init?(_ settings: Settings, logger: Logger, now: @escaping @Sendable () -> Timestamp) async throws {
        let oidc = settings.console.oidc
        guard oidc.isOn else { return nil }
        // The settings have been checked, unless a program has made them.
        guard let issuer = oidc.issuer.flatMap(ProviderURL.init), let clientID = oidc.clientID,
            let redirectURI = oidc.redirectURI, Settings.OIDC.isRedirect(redirectURI), !oidc.allowValues.isEmpty
        else { throw ServerError("\(Settings.OIDC.path): expected issuer, clientID, redirectURI and allow.values") }
        (self.issuer, self.logger, self.now) = (issuer, logger, now)
        label = oidc.label ?? issuer.host
        url = redirectURI.dropLast(Self.callbackPath.count) + Self.loginPath
        client = SignInClient(clientID: clientID, redirectURI: redirectURI, scopes: oidc.scopes)
        rules = SignInRules(
            clientID: clientID, allowClaim: oidc.allowClaim, allowValues: oidc.allowValues, nameClaim: oidc.nameClaim,
            leeway: settings.auth.leeway)
        secretFile = oidc.clientSecretFile
        isSecure = redirectURI.hasPrefix("https://")
        machine = Mutex(SignInMachine(issuer: issuer.text))
        var limits = HTTPClientSettings()
        limits.responseBytes = Self.answerBytes
        limits.caFile = oidc.caFile
        http = try HTTPClient(limits, label: "belfry.console.oidc")
        keys = try await SignInKeys(
            issuer: issuer, clientID: clientID, leeway: settings.auth.leeway, caFile: oidc.caFile, logger: logger)
        // A wrong path is better told now than to the first who signs in.
        _ = try secret()
    }

    // MARK: The beginning

    /// Sends the browser to the provider.
    func begin() async -> HTTPResponse {
        do throws(SignInProblem) {
            let endpoints = try await currentEndpoints()
            let secrets = SignInSecrets.random()
            machine.withLock { $0.begin(secrets, namesIssuer: endpoints.namesIssuer, at: now()) }
            return Self.redirect(to: client.authorizationURL(secrets, at: endpoints.authorization))
                .adding("Set-Cookie", cookie(secrets.browser, seconds: SignInMachine.lifetime.components.seconds))
        } catch {
            tell(error, from: nil)
            return Self.page(telling: error)
        }
    }

    private func currentEndpoints() async throws(SignInProblem) -> SignInEndpoints {
        let known = endpoints.withLock { $0 }
        if let known, .now < known.end { return known.known }
        do throws(FetchFault) {
            let request = HTTPClientRequest(
                method: "GET", url: issuer.discovery, headers: [("accept", "application/json")], timeout: Self.timeout)
            let document = try await answer(to: request)
            let endpoints = try document.endpoints(of: issuer)
            let age = min(max(CacheLifetime.of(document.headers), Self.shortestAge), Self.longestAge)
            self.endpoints.withLock { $0 = (endpoints, .now + age) }
            return endpoints
        } catch {
            // They hardly ever change.
            if let known { return known.known }
            throw SignInProblem(error.isAnswer ? .providerFault : .providerAway, words: "its settings: \(error)")
        }
    }

    // MARK: The end

    /// Lets the browser in, if what it brings back from the provider is good.
    func finish(_ head: HTTPRequestHead, from peer: Peer, in sessions: ConsoleSessions) async -> HTTPResponse {
        let query = head.query
        let answer = SignInMachine.Answer(
            state: query["state"], code: query["code"], error: query["error"], issuer: query["iss"],
            browser: ConsoleAccess.cookie(Self.cookie, in: head))
        let response: HTTPResponse
        do throws(SignInProblem) {
            let name = try await name(for: answer)
            let owner = ConsoleOperator(name: name, way: .oidc)
            logger.info("a login at the console", metadata: ["who": "\(name)", "by": "\(owner.way.rawValue)"])
            // Its scripts have the cookie, which is not sent with this navigation: another site has begun it.
            response = Self.redirect(to: "/console").adding(
                "Set-Cookie", sessions.begin(owner, isSecure: isSecure, at: now()))
        } catch {
            tell(error, from: peer)
            response = Self.page(telling: error)
            // The login may go on in the browser that has begun it.
            if error.kind == .otherBrowser { return response }
        }
        return response.adding("Set-Cookie", cookie("", seconds: 0))
    }

    private func name(for answer: SignInMachine.Answer) async throws(SignInProblem) -> String {
        let exchange = try machine.withLock { machine throws(SignInProblem) in try machine.take(answer, at: now()) }
        let token = try await idToken(for: exchange)
        switch await keys.claims(in: token, now: now) {
        case .success(let claims): return try rules.name(of: claims, nonce: exchange.nonce, at: now())
        case .failure(.keysPending): throw SignInProblem(.keysPending)
        case .failure(let problem): throw SignInProblem(.tokenRefused, code: problem.code)
        }
    }

    private func idToken(for exchange: SignInMachine.Exchange) async throws(SignInProblem) -> String {
        let endpoints = try await currentEndpoints()
        let secret: Secret?
        do {
            secret = try self.secret()
        } catch {
            throw SignInProblem(.noSecret, words: "\(error)")
        }
        let request = client.tokenRequest(for: exchange, at: endpoints, secret: secret, timeout: Self.timeout)
        let document: FetchedDocument
        do throws(FetchFault) {
            document = try await self.answer(to: request)
        } catch {
            throw SignInProblem(.providerAway, words: "the exchange of the code: \(error)")
        }
        return try document.idToken()
    }

    /// Read anew for each login: a secret that is replaced needs no restart.
    private func secret() throws -> Secret? {
        guard let secretFile else { return nil }
        let setting = "\(Settings.OIDC.path).clientSecretFile"
        let text = try PushKeyFile.read(secretFile, of: setting)
        let secret = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !secret.isEmpty else {
            throw ServerError("\(setting): \(secretFile) is empty; expected the client's secret")
        }
        return Secret(secret)
    }

    private func answer(to request: HTTPClientRequest) async throws(FetchFault) -> FetchedDocument {
        let result = await withCheckedContinuation { done in http.send(request) { done.resume(returning: $0) } }
        return try result.map { FetchedDocument(status: $0.status, headers: $0.headers, body: $0.body) }
            .mapError { FetchFault.noAnswer($0.description) }.get()
    }

    // MARK: Answers

    /// The login page, with the reason why the last login failed.
    static func page(telling problem: SignInProblem) -> HTTPResponse { redirect(to: "/console?\(problem.query)") }

    private static func redirect(to url: String) -> HTTPResponse {
        HTTPResponse(status: 303).adding("Location", url).adding("Cache-Control", "no-store")
            .adding("Referrer-Policy", "no-referrer")
    }

    /// Lax: the provider's page leads to the callback, which is a navigation from another site.
    private func cookie(_ value: String, seconds: Int64) -> String {
        "\(Self.cookie)=\(value); Path=\(Self.callbackPath); Max-Age=\(seconds); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    private func tell(_ problem: SignInProblem, from peer: Peer?) {
        var about: Logger.Metadata = ["reason": "\(problem.kind.rawValue)"]
        if let code = problem.code { about["code"] = "\(code)" }
        if let words = problem.words { about["details"] = "\(words)" }
        if let peer { about["address"] = "\(peer.address.map { "\($0)" } ?? "local")" }
        // Anybody can make answers up, as many as they like.
        let isMadeUp = [.unknownLogin, .otherBrowser].contains(problem.kind)
        logger.log(
            level: isMadeUp ? .debug : .warning, "a login at the console by its provider failed", metadata: about)
    }
}
