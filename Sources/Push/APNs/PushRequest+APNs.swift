import Inbox

extension PushRequest {
    /// A push as APNs wants it (Apple, "Sending notification requests to APNs").
    ///
    /// - Parameters:
    ///   - authorization: the ``authorization(apns:)`` by the provider token of the moment, from ``APNsToken``.
    ///   - payload: the message's, if there is one already: see ``APNsPayloads``.
    package init(
        apns message: PushMessage, to device: Device, settings: APNsSettings, authorization: String,
        payload: [UInt8]? = nil
    ) {
        let (base, token) = (settings.baseURL(for: device.environment), PercentEncoding.encode(device.token))
        self.init(
            method: "POST",
            url: String(joining: base, Self.devicePath, token),
            headers: [
                (Self.authorizationName, authorization),
                ("apns-topic", settings.topic(of: device.app)),
                ("apns-push-type", APSDictionary.pushType(message.kind)),
                ("apns-priority", APSDictionary.priority(of: message)),
                ("apns-expiration", APSDictionary.expiration(of: message)),
                // A repeated or grown push replaces the one that is on screen. Below the limit of 64 bytes.
                ("apns-collapse-id", message.collapseID),
            ],
            body: payload ?? APNsPayload(message).bytes)
    }

    /// The same request under another provider token.
    package func authorized(apns authorization: String) -> PushRequest {
        var request = self
        for place in headers.indices where headers[place].name == Self.authorizationName {
            request.headers[place].value = authorization
        }
        return request
    }

    /// What a provider token makes of the header; the same for all pushes under it.
    package static func authorization(apns bearer: String) -> String { "bearer " + bearer }

    private static let authorizationName = "authorization"
    private static let devicePath = "/3/device/"
}
