import Inbox

extension PushRequestWriter {
    /// Writes a push as APNs wants it (Apple, "Sending notification requests to APNs").
    ///
    /// - Parameters:
    ///   - authorization: the ``PushRequest/authorization(apns:)`` by the provider token of the moment, from
    ///     ``APNsToken``.
    ///   - payload: appends the message's.
    package mutating func write(
        apns message: PushMessage, to device: Device, settings: APNsSettings, authorization: String,
        payload: (inout [UInt8]) -> Void
    ) {
        path("/3/device/", PercentEncoding.encode(device.token))
        header("authorization", authorization)
        header("apns-topic", settings.topic(of: device.app))
        header("apns-push-type", APSDictionary.pushType(message.kind))
        header("apns-priority", APSDictionary.priority(of: message))
        header("apns-expiration", APSDictionary.expiration(of: message))
        // A repeated or grown push replaces the one that is on screen. Below the limit of 64 bytes.
        header("apns-collapse-id", message.collapseID)
        body(payload)
    }
}

extension PushRequest {
    /// A push to APNs by itself; see ``PushRequestWriter/write(apns:to:settings:authorization:payload:)``.
    package init(apns message: PushMessage, to device: Device, settings: APNsSettings, authorization: String) {
        self.init(method: "POST", url: settings.baseURL(for: device.environment), headers: [], body: [])
        write(apns: message, to: device, settings: settings, authorization: authorization) {
            $0 += APNsPayload(message).bytes
        }
    }

    /// What a provider token makes of the header; the same for all pushes under it.
    package static func authorization(apns bearer: String) -> String { "bearer " + bearer }
}
