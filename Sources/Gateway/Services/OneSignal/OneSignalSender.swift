package import Inbox
package import Push
package import Transport

/// Sends pushes to OneSignal.
package final class OneSignalSender: PushSender {
    private let settings: OneSignalSettings
    private let client: ProviderClient

    package init(settings: OneSignalSettings, client: ProviderClient) {
        self.settings = settings
        self.client = client
    }

    package var laneQueue: SerialQueue { client.completionQueue }

    package func send(
        _ message: PushMessage, to device: Device, at now: Timestamp,
        completion: @escaping @Sendable (Verdict) -> Void
    ) {
        let request = PushRequest(oneSignal: message, to: device, settings: settings, at: now)
        // A push with nothing to show may not reach a browser.
        guard let request else { return completion(.accepted) }
        client.send(request) { reply in
            switch reply {
            case .success(let reply): completion(OneSignalVerdict(reply, to: device.token, at: now).verdict)
            case .failure(let cause): completion(.noAnswer(cause))
            }
        }
    }

    /// Does nothing, as the key is a setting, which is fixed until the process ends.
    package func readKey() {}

    package func close(completion: @escaping @Sendable () -> Void) { client.close(completion: completion) }
}
