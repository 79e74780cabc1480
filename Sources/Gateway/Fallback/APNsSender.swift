package import Inbox
import JWTKit
package import Logging
package import Push
import Synchronization
package import Transport

/// Sends pushes to APNs: the pure request and verdict code joined to the HTTP/2 client and the signing key.
package final class APNsSender: PushSender {
    /// Longer than Apple takes, shorter than a job's lease.
    private static let timeout = Duration.seconds(20)

    private let settings: APNsSettings
    private let key: any JWTAlgorithm
    private let client: HTTPClient
    private let token: Mutex<APNsToken>
    private let logger: Logger

    /// - Parameters:
    ///   - keyText: the `.p8` file's PEM: an EC key on P-256.
    ///   - client: for this provider alone, so that no other can be held up by it.
    package init(
        settings: APNsSettings, keyID: String, teamID: String, keyText: String, client: HTTPClient, logger: Logger
    ) async throws {
        let keys = try await JWTKeyCollection().add(ecdsa: ES256PrivateKey(pem: keyText))
        key = try await keys.getKey()
        self.settings = settings
        self.client = client
        self.logger = logger
        token = Mutex(APNsToken(keyID: keyID, teamID: teamID))
    }

    package func send(_ job: PushJob, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void) {
        let bearer: String
        do {
            bearer = try currentToken(at: now)
        } catch {
            logger.error("the APNs key cannot sign", metadata: ["error": "\(error)"])
            return completion(.busy(retryAfter: nil))
        }
        let request = PushRequest(apns: job, settings: settings, bearer: bearer)
        let call = HTTPClientRequest(
            method: request.method, url: request.url, headers: request.headers.map { ($0.name, $0.value) },
            body: request.body, timeout: Self.timeout)
        client.send(call) { [self] result in completion(verdict(result, bearer: bearer, at: now)) }
    }

    private func currentToken(at now: Timestamp) throws -> String {
        try token.withLock { token in
            switch token.next(at: now) {
            case .use(let bearer): return bearer
            case .sign(let draft): return token.install(draft, signature: try key.sign(draft.signingInput))
            }
        }
    }

    private func verdict(
        _ result: Result<HTTPClientResponse, HTTPClientError>, bearer: String, at now: Timestamp
    ) -> Verdict {
        switch result {
        case .failure(let error):
            logger.warning("APNs did not answer", metadata: ["error": "\(error)"])
            return APNsVerdict.noAnswer.verdict
        case .success(let response):
            let reply = PushReply(
                status: response.status, headers: response.headers.map { (name: $0.0, value: $0.1) },
                body: response.body)
            let verdict = APNsVerdict(reply)
            if verdict.isTokenExpired { token.withLock { $0.expired(bearer, at: now) } }
            return verdict.verdict
        }
    }
}
