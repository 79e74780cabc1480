package import Inbox
import JWTKit
package import Logging
package import Push
import Synchronization
package import Transport

/// Sends pushes to Firebase Cloud Messaging, and fetches their access token. Pushes wait for it if necessary.
package final class FCMSender: PushSender, ActivitySending {
    /// A push that waits for an access token.
    private struct Waiting {
        /// Makes the request with an access token; nil for a push with nothing to show, which may not reach a browser.
        let request: @Sendable (FCMSettings, _ accessToken: String, _ now: Timestamp) -> PushRequest?
        let completion: @Sendable (Verdict) -> Void
        /// The token with which it was sent before.
        var rejected: String?
    }

    private struct Credential {
        var account: ServiceAccount
        var key: any JWTAlgorithm
        var token: GoogleAccessToken
        /// At most as many as the lane has under way.
        var waiting: [Waiting] = []
        /// Tells a fetch for this account from one for an account that was replaced meanwhile.
        var generation = 0
    }

    private let accountPath: String
    private let endpoint: String?
    private let client: ProviderClient
    private let tokenClient: ProviderClient
    private let credential: Mutex<Credential>
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - accountPath: the service account's JSON file.
    ///   - endpoint: replaces Google's base URL.
    ///   - tokenClient: for the service that issues access tokens; its requests must end within ten seconds.
    /// - Throws: ``ServerError`` if the file holds no service account.
    package init(
        accountPath: String, endpoint: String?, client: ProviderClient, tokenClient: ProviderClient, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) async throws {
        self.accountPath = accountPath
        self.endpoint = endpoint
        self.client = client
        self.tokenClient = tokenClient
        self.logger = logger
        self.now = now
        let (account, key) = try await PushKeyFile.serviceAccount(accountPath)
        credential = Mutex(Credential(account: account, key: key, token: GoogleAccessToken(account: account)))
    }

    package var laneQueue: SerialQueue { client.completionQueue }

    package func send(
        _ message: PushMessage, to device: Device, at now: Timestamp,
        completion: @escaping @Sendable (Verdict) -> Void
    ) {
        let request: @Sendable (FCMSettings, String, Timestamp) -> PushRequest? = { settings, accessToken, now in
            PushRequest(fcm: message, to: device, settings: settings, accessToken: accessToken, at: now)
        }
        proceed(Waiting(request: request, completion: completion), at: now)
    }

    package func send(
        _ push: ActivityPush, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void
    ) {
        let request: @Sendable (FCMSettings, String, Timestamp) -> PushRequest? = { settings, accessToken, now in
            PushRequest(activity: push, to: device, fcm: settings, accessToken: accessToken, at: now)
        }
        proceed(Waiting(request: request, completion: completion), at: now)
    }

    /// Sends the push, or keeps it until there is a token.
    private func proceed(_ push: Waiting, at now: Timestamp) {
        let (step, generation, projectID) = credential.withLock { credential in
            let step = credential.token.next(at: now)
            switch step {
            case .wait, .fetch(_, meanwhile: nil): credential.waiting.append(push)
            case .use, .fetch, .unavailable: break
            }
            return (step, credential.generation, credential.account.projectID)
        }
        switch step {
        case .use(let accessToken): send(push, accessToken, projectID, at: now)
        case .fetch(let draft, let accessToken):
            fetch(draft, generation)
            if let accessToken { send(push, accessToken, projectID, at: now) }
        case .wait: break
        case .unavailable(let until, let cause):
            push.completion(.busy(retryAfter: max(until - now, .zero), scope: .provider, cause: cause))
        }
    }

    /// - Parameter projectID: that of the token's account, whatever account was read since.
    private func send(_ push: Waiting, _ accessToken: String, _ projectID: String, at now: Timestamp) {
        // There is no other token, so the token's age is not the reason.
        if push.rejected == accessToken { return push.completion(FCMVerdict.tokenRefused) }
        let settings = FCMSettings(projectID: projectID, endpoint: endpoint)
        guard let request = push.request(settings, accessToken, now) else { return push.completion(.accepted) }
        client.send(request) { [self] reply in
            let verdict: FCMVerdict
            switch reply {
            case .success(let reply): verdict = FCMVerdict(reply, at: now)
            case .failure(let cause): return push.completion(.noAnswer(cause))
            }
            guard verdict.isTokenExpired else { return push.completion(verdict.verdict) }
            credential.withLock { $0.token.rejected(accessToken, at: now) }
            guard push.rejected == nil else { return push.completion(verdict.verdict) }
            // The push is not at fault, and need wait only for the new token.
            var push = push
            push.rejected = accessToken
            proceed(push, at: now)
        }
    }

    // MARK: The access token

    /// - Parameter generation: that of the draft's key.
    private func fetch(_ draft: GoogleAccessToken.Draft, _ generation: Int) {
        let request = credential.withLock { credential -> PushRequest? in
            guard generation == credential.generation else { return nil }
            // With a key that cannot sign, the fetch fails, is logged, and is tried again with growing delays.
            let signature = try? credential.key.sign(draft.signingInput)
            return signature.map { credential.token.request(draft, signature: $0) }
        }
        guard let request else { return fetched(.failure(.unsigned), generation) }
        tokenClient.send(request) { [self] reply in fetched(reply.mapError { .init($0) }, generation) }
    }

    private func fetched(_ reply: Result<PushReply, GoogleAccessTokenError>, _ generation: Int) {
        let (now, jitter) = (now(), Double.random(in: 0..<1))
        var problem: GoogleAccessTokenError?
        let waiting = credential.withLock { credential -> [Waiting] in
            if generation == credential.generation {
                switch reply {
                case .success(let reply):
                    problem = credential.token.received(reply, at: now, jitter: jitter)
                case .failure(let error):
                    problem = error
                    credential.token.failed(error, at: now, jitter: jitter)
                }
            }
            defer { credential.waiting = [] }
            return credential.waiting
        }
        if let problem {
            logger.log(
                level: problem.isPermanent ? .error : .warning, "no access token for FCM",
                metadata: ["reason": "\(problem)"])
        }
        for push in waiting { proceed(push, at: now) }
    }

    package func readKey() async throws {
        let (account, key) = try await PushKeyFile.serviceAccount(accountPath)
        let waiting = credential.withLock { credential -> [Waiting] in
            guard
                account.privateKey != credential.account.privateKey || account.projectID != credential.account.projectID
            else { return [] }
            defer {
                credential = Credential(
                    account: account, key: key, token: GoogleAccessToken(account: account),
                    generation: credential.generation + 1)
            }
            return credential.waiting
        }
        let now = now()
        for push in waiting { proceed(push, at: now) }
    }

    package func close(completion: @escaping @Sendable () -> Void) {
        client.close { [tokenClient] in tokenClient.close(completion: completion) }
    }
}
