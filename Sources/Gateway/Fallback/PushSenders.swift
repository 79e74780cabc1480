import Inbox
import Logging
import Push
import Transport

/// Makes a sender for each provider that the settings name.
struct PushSenders {
    let poller: PollerKind
    let logger: Logger
    let now: @Sendable () -> Timestamp

    /// - Throws: ``ServerError`` for a key that cannot be read, with the setting that names it.
    func make(_ settings: Settings.Push) async throws -> [Device.Provider: any PushSender] {
        var senders: [Device.Provider: any PushSender] = [:]
        senders[.apns] = try await apns(settings.apns)
        senders[.fcm] = try await fcm(settings.fcm)
        senders[.onesignal] = try oneSignal(settings.oneSignal)
        senders[.webpush] = try webPush(settings.webPush)
        return senders
    }

    private func apns(_ settings: Settings.APNs) async throws -> APNsSender? {
        guard let keyID = settings.keyID, let teamID = settings.teamID, let path = settings.keyPath,
            let bundleID = settings.bundleID
        else { return nil }
        let bundleIDs = Dictionary(settings.bundleIDs.map { ($0.app, $0.bundleID) }) { $1 }
        return try await APNsSender(
            settings: APNsSettings(
                bundleID: bundleID, bundleIDs: bundleIDs, isSandbox: settings.useSandbox, endpoint: settings.endpoint),
            keyID: keyID, teamID: teamID, keyPath: path,
            client: http2("APNs", caFile: settings.caFile), logger: logger)
    }

    private func fcm(_ settings: Settings.FCM) async throws -> FCMSender? {
        guard let path = settings.serviceAccountPath else { return nil }
        return try await FCMSender(
            accountPath: path, endpoint: settings.endpoint, client: http2("FCM", caFile: settings.caFile),
            tokenClient: anyHTTP(
                "Google's token service", caFile: settings.caFile, timeout: ProviderClient.timeout / 2),
            logger: logger, now: now)
    }

    private func oneSignal(_ settings: Settings.OneSignal) throws -> OneSignalSender? {
        guard let appID = settings.appID, let apiKey = settings.apiKey else { return nil }
        return OneSignalSender(
            settings: OneSignalSettings(appID: appID, apiKey: apiKey.text, endpoint: settings.endpoint),
            client: try http2("OneSignal", caFile: settings.caFile))
    }

    private func webPush(_ settings: Settings.WebPush) throws -> WebPushSender? {
        guard let path = settings.privateKeyPath, let subject = settings.subject else { return nil }
        return try WebPushSender(
            settings: WebPushSettings(hosts: settings.hosts, endpoint: settings.endpoint), keyPath: path,
            subject: subject, client: anyHTTP("a browser's push service", caFile: settings.caFile))
    }

    /// For a service of one or two hosts that take many requests at once.
    private func http2(_ name: String, caFile: String?) throws -> ProviderClient {
        var settings = HTTP2ClientSettings()
        settings.caFile = caFile
        return ProviderClient(name: name, http: try HTTP2Client(settings, poller: poller), logger: logger)
    }

    /// For services of whatever kind, and any number of hosts.
    private func anyHTTP(
        _ name: String, caFile: String?, timeout: Duration = ProviderClient.timeout
    ) throws -> ProviderClient {
        var settings = HTTPClientSettings()
        settings.caFile = caFile
        let client = try HTTPClient(settings, label: "belfry.\(name)")
        return ProviderClient(name: name, http: client, logger: logger, timeout: timeout)
    }
}
