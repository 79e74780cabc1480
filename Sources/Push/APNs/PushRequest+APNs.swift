import Inbox

extension PushRequest {
    /// The push of `job` as APNs wants it (Apple, "Sending notification requests to APNs").
    ///
    /// - Parameter bearer: the provider token of the moment, from ``APNsToken``.
    package init(apns job: PushJob, settings: APNsSettings, bearer: String) {
        self.init(
            method: "POST",
            url: settings.baseURL + "/3/device/" + Self.pathSegment(job.device.token),
            headers: [
                ("authorization", "bearer " + bearer),
                ("apns-topic", settings.bundleID),
                ("apns-push-type", "alert"),
                ("apns-priority", job.content.urgency == .low ? "5" : "10"),
                // 0 would mean "do not store": then a phone that is off for a moment never gets it.
                ("apns-expiration", String(max(job.attempt.expiry.milliseconds / 1_000, 1))),
                // A repeated or grown push replaces the one that is on screen. Far below the limit of 64 bytes.
                ("apns-collapse-id", job.notification.text),
            ],
            body: APNsPayload(job.content, badge: job.badge).bytes)
    }

    /// Tokens come from clients: what is no letter or digit is escaped, so that none can lead to another path.
    private static func pathSegment(_ token: String) -> String {
        var segment: [UInt8] = []
        for byte in token.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
                segment.append(byte)
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                segment.append(contentsOf: (hex.utf8.count < 2 ? "%0" : "%").utf8)
                segment.append(contentsOf: hex.utf8)
            }
        }
        return String(decoding: segment, as: UTF8.self)
    }
}
