package import Inbox

extension ActivityPush {
    /// Those of a push's headers that Apple's service and FCM's `ApnsConfig.headers` have in common.
    var headers: [(name: String, value: String)] {
        [
            ("apns-priority", isPressing ? "10" : "5"),
            ("apns-expiration", String(max(expiry.milliseconds / 1_000, 1))), ("apns-collapse-id", collapseID),
        ]
    }
}

extension PushRequest {
    /// A push to a Live Activity in APNs' form. Nil without a token.
    ///
    /// - Parameter authorization: as in ``init(apns:to:settings:authorization:)``.
    package init?(activity push: ActivityPush, to device: Device, apns settings: APNsSettings, authorization: String) {
        guard let token = push.token else { return nil }
        self.init(
            method: "POST",
            url: settings.baseURL(for: device.environment) + "/3/device/" + PercentEncoding.encode(token),
            headers: [
                ("authorization", authorization),
                ("apns-topic", settings.topic(of: device.app) + APNsSettings.activitySuffix),
                ("apns-push-type", "liveactivity"),
            ] + push.headers,
            body: ActivityPayload.bytes(push))
    }

    /// A push to a Live Activity in FCM's form.
    ///
    /// - Parameter accessToken: the current token, from ``GoogleAccessToken``.
    package init(
        activity push: ActivityPush, to device: Device, fcm settings: FCMSettings, accessToken: String,
        at now: Timestamp
    ) {
        self.init(fcm: ActivityMessage.bytes(push, token: device.token, at: now), settings, accessToken: accessToken)
    }
}

extension APNsSettings {
    /// What the topic of a push to a Live Activity has behind the bundle id.
    package static let activitySuffix = ".push-type.liveactivity"
}
