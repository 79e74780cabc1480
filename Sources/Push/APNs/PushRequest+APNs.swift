import Inbox

extension PushRequest {
    /// A push as APNs wants it (Apple, "Sending notification requests to APNs").
    ///
    /// - Parameters:
    ///   - bearer: the provider token of the moment, from ``APNsToken``.
    ///   - payload: the message's, if there is one already: see ``APNsPayloads``.
    package init(
        apns message: PushMessage, to device: Device, settings: APNsSettings, bearer: String, payload: [UInt8]? = nil
    ) {
        let (base, token) = (settings.baseURL(for: device.environment), PercentEncoding.encode(device.token))
        var url = ""
        // Otherwise it is made three times.
        url.reserveCapacity(base.utf8.count + Self.devicePath.utf8.count + token.utf8.count)
        url += base
        url += Self.devicePath
        url += token
        self.init(
            method: "POST",
            url: url,
            headers: [
                ("authorization", "bearer " + bearer),
                ("apns-topic", settings.topic(of: device.app)),
                ("apns-push-type", APSDictionary.pushType(message.kind)),
                ("apns-priority", APSDictionary.priority(of: message)),
                ("apns-expiration", APSDictionary.expiration(of: message)),
                // A repeated or grown push replaces the one that is on screen. Below the limit of 64 bytes.
                ("apns-collapse-id", message.collapseID),
            ],
            body: payload ?? APNsPayload(message).bytes)
    }

    private static let devicePath = "/3/device/"
}
