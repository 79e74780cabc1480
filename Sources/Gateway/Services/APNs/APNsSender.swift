package import Inbox
import JWTKit
package import Logging
package import Push
import Synchronization
package import Transport

/// Sends pushes to APNs: joins the pure request and verdict code to the HTTP/2 client and the signing key.
package final class APNsSender: PushSender, ActivitySending {
    private struct Credential {
        var key: any JWTAlgorithm
        var token: APNsToken
        /// The header with the last signed token, built once for each token.
        var pass = Pass()
    }

    private struct Pass {
        var bearer = ""
        var authorization = ""
    }

    private let settings: APNsSettings
    private let keyID: String
    private let teamID: String
    private let keyPath: String
    private let client: ProviderClient
    private let credential: Mutex<Credential>
    private let payloads = Mutex(APNsPayloads())
    private let logger: Logger

    /// - Parameter keyPath: the `.p8` file.
    /// - Throws: ``ServerError`` if the file holds no key.
    package init(
        settings: APNsSettings, keyID: String, teamID: String, keyPath: String, client: ProviderClient, logger: Logger
    ) async throws {
        self.settings = settings
        self.keyID = keyID
        self.teamID = teamID
        self.keyPath = keyPath
        self.client = client
        self.logger = logger
        let key = try await PushKeyFile.apns(keyPath)
        credential = Mutex(Credential(key: key, token: APNsToken(keyID: keyID, teamID: teamID)))
    }

    package var laneQueue: SerialQueue { client.completionQueue }

    package func send(
        _ message: PushMessage, to device: Device, at now: Timestamp,
        completion: @escaping @Sendable (Verdict) -> Void
    ) {
        send(at: now, completion) { [settings] authorization in
            PushRequest(apns: message, to: device, settings: settings, authorization: authorization)
        }
    }

    package func send(
        _ push: ActivityPush, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void
    ) {
        // Only devices without APNs show activities without a token.
        guard push.token != nil else { return completion(.deviceGone(since: nil)) }
        send(at: now, completion) { [settings] authorization in
            PushRequest(activity: push, to: device, apns: settings, authorization: authorization)
        }
    }

    /// - Parameter request: makes it with this authorization.
    private func send(
        at now: Timestamp, _ completion: @escaping @Sendable (Verdict) -> Void,
        _ request: @escaping @Sendable (String) -> PushRequest?
    ) {
        guard let pass = currentPass(at: now) else { return completion(Self.cannotSign) }
        post(request, pass, at: now) { [self] verdict in
            guard verdict.isTokenExpired else { return completion(verdict.verdict) }
            sendAgain(request, after: pass.bearer, verdict.verdict, at: now, completion: completion)
        }
    }

    package func send(_ jobs: [PushJob], at now: Timestamp, completion: @escaping JobCompletion) {
        guard let pass = currentPass(at: now) else {
            let began = ContinuousClock.now
            for index in jobs.indices { completion(index, Self.cannotSign, began) }
            return
        }
        var start = 0
        while start < jobs.count {
            let first = start
            let (batch, end) = batch(of: jobs, from: first, pass)
            // Writing the requests does not count as the service's latency.
            let began = ContinuousClock.now
            client.send(batch) { [self] index, reply in
                let (job, verdict) = (first + index, APNsVerdict(reply, at: now))
                guard verdict.isTokenExpired else { return completion(job, verdict.verdict, began) }
                let request: @Sendable (String) -> PushRequest? = { [settings] authorization in
                    PushRequest(
                        apns: jobs[job].message, to: jobs[job].device, settings: settings,
                        authorization: authorization)
                }
                sendAgain(request, after: pass.bearer, verdict.verdict, at: now) { completion(job, $0, began) }
            }
            start = end
        }
    }

    /// The requests from `first` to before `end`: a run of jobs for the same environment of Apple's.
    private func batch(of jobs: [PushJob], from first: Int, _ pass: Pass) -> (HTTPRequestBatch, end: Int) {
        let environment = jobs[first].target.device.environment
        let base = settings.baseURL(for: environment)
        var batch = client.batch(method: "POST", to: base, expecting: jobs.count - first)
        var end = first
        payloads.withLock { payloads in
            repeat {
                let job = jobs[end]
                batch.write(
                    apns: job.message, to: job.target.device, settings: settings, authorization: pass.authorization
                ) { payloads.write(job.message, to: &$0) }
                end += 1
            } while end < jobs.count && isSame(jobs[end].target.device.environment, environment, base)
        }
        return (batch, end)
    }

    private func isSame(_ one: Device.Environment?, _ other: Device.Environment?, _ base: String) -> Bool {
        one == other || settings.baseURL(for: one) == base
    }

    /// Sends a push again after its token was too old: the push is not at fault, and need not wait.
    private func sendAgain(
        _ request: @escaping @Sendable (String) -> PushRequest?, after rejected: String, _ verdict: Verdict,
        at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void
    ) {
        credential.withLock { $0.token.expired(rejected, at: now) }
        guard let pass = currentPass(at: now) else { return completion(Self.cannotSign) }
        if pass.bearer == rejected { return completion(verdict) }
        post(request, pass, at: now) { [self] verdict in
            if verdict.isTokenExpired { credential.withLock { $0.token.expired(pass.bearer, at: now) } }
            completion(verdict.verdict)
        }
    }

    private func post(
        _ request: (String) -> PushRequest?, _ pass: Pass, at now: Timestamp,
        completion: @escaping @Sendable (APNsVerdict) -> Void
    ) {
        guard let request = request(pass.authorization) else { preconditionFailure("a push has its address") }
        client.send(request) { reply in completion(APNsVerdict(reply, at: now)) }
    }

    static let cannotSign = Verdict.noAnswer(
        NoAnswer(reason: "the key of APNS_KEY_PATH cannot sign", obstacle: .credential))

    /// Nil if the key cannot sign.
    private func currentPass(at now: Timestamp) -> Pass? {
        do {
            return try credential.withLock { credential in
                switch credential.token.next(at: now) {
                case .use: return credential.pass
                case .sign(let draft):
                    let bearer = credential.token.install(
                        draft, signature: try credential.key.sign(draft.signingInput))
                    credential.pass = Pass(bearer: bearer, authorization: PushRequest.authorization(apns: bearer))
                    return credential.pass
                }
            }
        } catch {
            logger.error("the APNs key cannot sign", metadata: ["error": "\(error)"])
            return nil
        }
    }

    package func readKey() async throws {
        let key = try await PushKeyFile.apns(keyPath)
        // A token of the same key stays: Apple refuses new ones that come too often.
        guard !credential.withLock({ Self.isSame($0.key, key) }) else { return }
        credential.withLock { $0 = Credential(key: key, token: APNsToken(keyID: keyID, teamID: teamID)) }
    }

    /// Whether one key verifies the other's signature.
    private static func isSame(_ one: any JWTAlgorithm, _ other: any JWTAlgorithm) -> Bool {
        let probe = Array("belfry".utf8)
        // A key that cannot sign is replaced.
        guard let signature = try? other.sign(probe) else { return false }
        return (try? one.verify(signature, signs: probe)) == true
    }

    package func close(completion: @escaping @Sendable () -> Void) { client.close(completion: completion) }
}
