import Inbox

extension PushRequestWriter {
    /// Writes a push in APNs' form (Apple, "Sending notification requests to APNs").
    ///
    /// - Parameters:
    ///   - authorization: ``PushRequest/authorization(apns:)`` of the current provider token, from ``APNsToken``.
    ///   - payload: appends the message's payload.
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
        // A repeated or grown push replaces the one on screen. Always below Apple's limit of 64 bytes.
        header("apns-collapse-id", message.collapseID)
        body(payload)
    }
}

extension PushRequest {
    /// A single push to APNs; see ``PushRequestWriter/write(apns:to:settings:authorization:payload:)``.
    package init(apns message: PushMessage, to device: Device, settings: APNsSettings, authorization: String) {
        self.init(method: "POST", url: settings.baseURL(for: device.environment), headers: [], body: [])
        write(apns: message, to: device, settings: settings, authorization: authorization) {
            $0 += APNsPayload(message).bytes
        }
    }

    /// The header's value for a provider token; the same for all pushes with that token.
    package static func authorization(apns bearer: String) -> String { "bearer " + bearer }
}
