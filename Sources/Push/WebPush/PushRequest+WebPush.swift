package import Inbox

extension PushRequest {
    /// The push of `message` in the form of browsers' push services (RFC 8030 §5, RFC 8291, RFC 8292).
    ///
    /// Nil for a push that shows nothing: browsers require that each push shows a notification, and end the
    /// subscription of a page that does not (Push API, `userVisibleOnly`). A push that only sets the badge or wakes the
    /// app thus counts as accepted without being sent. The page learns the number with the next push, or when it is
    /// opened.
    /// - Parameters:
    ///   - secrets: for this message only.
    ///   - maximumBodyBytes: for a service that takes less than RFC 8030 §7.2 requires; text and data are cut to it.
    package init?(
        webPush message: PushMessage, to device: Device, settings: WebPushSettings, tokens: inout VAPIDTokens,
        secrets: WebPushSecrets, maximumBodyBytes: Int = WebPushEncryption.maximumBodyBytes, at now: Timestamp
    ) throws(WebPushRefusal) {
        guard let content = message.content, message.kind == .alert else { return nil }
        guard let keys = device.keys else { throw WebPushRefusal(reason: "the subscription has no keys") }
        let endpoint: WebPushEndpoint
        do {
            // Checked again, because the list of hosts may have become shorter since the browser registered.
            let registered = try WebPushEndpoint(device.token, hosts: settings.hosts)
            endpoint = settings.endpoint.map(registered.moved) ?? registered
        } catch {
            throw WebPushRefusal(reason: "endpoint: \(error)")
        }
        let room = WebPushEncryption.plaintextBytes(inBodyOf: maximumBodyBytes)
        let payload = WebPushPayload(
            message, page: device.scope.flatMap(WebPushScope.init), maximumBytes: room, at: now
        ).bytes
        let body: [UInt8]
        do {
            body = try WebPushEncryption.encrypt(
                payload, padding: min(Self.padding(payload.count), max(room - payload.count, 0)), for: keys,
                secrets: secrets)
        } catch {
            throw WebPushRefusal(reason: "the subscription's key is no point on P-256")
        }
        guard let authorization = try? tokens.authorization(for: endpoint, at: now) else {
            throw WebPushRefusal(reason: "the VAPID key cannot sign")
        }
        self.init(
            method: "POST", url: endpoint.url,
            headers: [
                ("authorization", authorization),
                ("content-encoding", "aes128gcm"),
                ("content-type", "application/octet-stream"),
                ("ttl", String(Self.timeToLive(until: message.expiry, at: now))),
                ("urgency", Self.urgency(content.urgency)),
                ("topic", WebPushTopic.text(of: message.collapseID)),
            ],
            body: body)
    }

    /// Pads to the next multiple of 128, so that the length tells an observer little about the text.
    private static func padding(_ bytes: Int) -> Int { (128 - bytes % 128) % 128 }

    /// In seconds. Services take 28 to 30 days at most (Firebase, autopush). Zero would mean "now or never", which
    /// Microsoft's service refuses: "Ttl value conflicts with X-WNS-Cache-Policy".
    private static func timeToLive(until expiry: Timestamp, at now: Timestamp) -> Int64 {
        min(max((expiry - now).components.seconds, 1), 28 * 86_400)
    }

    /// RFC 8030 §5.3.
    private static func urgency(_ urgency: PushPolicy.Urgency) -> String {
        switch urgency {
        case .low: "low"
        case .normal: "normal"
        case .urgent: "high"
        }
    }
}
