import Inbox

extension PushRequest {
    /// A push as APNs wants it (Apple, "Sending notification requests to APNs").
    ///
    /// - Parameter bearer: the provider token of the moment, from ``APNsToken``.
    package init(apns message: PushMessage, to device: Device, settings: APNsSettings, bearer: String) {
        self.init(
            method: "POST",
            url: settings.baseURL(for: device.environment) + "/3/device/" + PercentEncoding.encode(device.token),
            headers: [
                ("authorization", "bearer " + bearer),
                ("apns-topic", settings.topic(of: device.app)),
                ("apns-push-type", APSDictionary.pushType(message.kind)),
                ("apns-priority", APSDictionary.priority(of: message)),
                ("apns-expiration", APSDictionary.expiration(of: message)),
                // A repeated or grown push replaces the one that is on screen. Below the limit of 64 bytes.
                ("apns-collapse-id", message.collapseID),
            ],
            body: APNsPayload(message).bytes)
    }
}
