import Dispatch
package import Inbox
package import Push
import Synchronization
package import Transport

/// Sends pushes to browsers through their makers' services, encrypted for the browser.
package final class WebPushSender: PushSender {
    private struct Credential {
        var key: VAPIDKey
        var tokens: VAPIDTokens
    }

    /// Not the client's queue: one push is encrypted while others are sent and answered.
    package let laneQueue = SerialQueue.dispatch(DispatchQueue(label: "belfry.push.webpush"))
    private let settings: WebPushSettings
    private let keyPath: String
    private let subject: String
    private let client: ProviderClient
    private let credential: Mutex<Credential>

    /// - Parameters:
    ///   - keyPath: PEM of the VAPID key.
    ///   - subject: a contact for push services: a `mailto:` or `https:` URL.
    /// - Throws: ``ServerError`` if the file holds no key.
    package init(settings: WebPushSettings, keyPath: String, subject: String, client: ProviderClient) throws {
        self.settings = settings
        self.keyPath = keyPath
        self.subject = subject
        self.client = client
        let key = try PushKeyFile.vapid(keyPath)
        credential = Mutex(Credential(key: key, tokens: VAPIDTokens(key: key, subject: subject)))
    }

    /// The public key in base64url, which pages pass to `pushManager.subscribe` as `applicationServerKey`.
    package var publicKey: String { credential.withLock { $0.key.publicKey } }

    package func send(
        _ message: PushMessage, to device: Device, at now: Timestamp,
        completion: @escaping @Sendable (Verdict) -> Void
    ) {
        // Its browser has told when it drops the subscription, and asks for none that is on its way by then.
        if let end = device.expiresAt, end <= now { return completion(.deviceGone(since: nil)) }
        post(message, to: device, maximumBytes: WebPushEncryption.maximumBodyBytes, at: now) { [self] verdict in
            guard let bytes = verdict.retryBytes else { return completion(verdict.verdict) }
            // Some browsers' services take less than others: a shorter text is worth more than none.
            post(message, to: device, maximumBytes: bytes, at: now) { completion($0.verdict) }
        }
    }

    private func post(
        _ message: PushMessage, to device: Device, maximumBytes: Int, at now: Timestamp,
        completion: @escaping @Sendable (WebPushVerdict) -> Void
    ) {
        let request: PushRequest?
        do {
            request = try credential.withLock { credential throws(WebPushRefusal) in
                try PushRequest(
                    webPush: message, to: device, settings: settings, tokens: &credential.tokens, secrets: .random(),
                    maximumBodyBytes: maximumBytes, at: now)
            }
        } catch {
            return completion(WebPushVerdict(.refused(reason: error.reason)))
        }
        // Browsers require that each push is shown, so one that would only set the badge is not sent.
        guard let request else { return completion(WebPushVerdict(.accepted)) }
        client.send(request) { reply in
            switch reply {
            case .success(let reply): completion(WebPushVerdict(reply, bodyBytes: request.body.count, at: now))
            // Every browser's maker has its own service: a silent one must not hold up the others' pushes.
            case .failure(let cause): completion(WebPushVerdict(.noAnswer(cause, scope: .device)))
            }
        }
    }

    package func readKey() throws {
        let key = try PushKeyFile.vapid(keyPath)
        credential.withLock { credential in
            guard key.publicKey != credential.key.publicKey else { return }
            credential = Credential(key: key, tokens: VAPIDTokens(key: key, subject: subject))
        }
    }

    package func close(completion: @escaping @Sendable () -> Void) { client.close(completion: completion) }
}
