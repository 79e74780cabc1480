import Inbox
import Push
import WireProtocol

/// `POST /api/notifications/register-device {device_id, apns_token}`: a phone sends its push token, at every launch.
///
/// Other members are ignored: these apps are installed already.
struct RegisterDeviceRequest {
    let device: Device

    init(_ body: [UInt8], app: String, at now: Timestamp) throws(Problem) {
        let body = try JSONBody(body)
        let (id, token) = (try body.text("device_id"), try body.text("apns_token"))
        guard let id = TextRule.deviceID.read(id) else {
            throw .member("invalid_value", "device_id", "expected \(TextRule.deviceID.expectation)")
        }
        guard let token = TextRule.apnsToken.read(token) else {
            throw .member("invalid_value", "apns_token", "expected \(TextRule.apnsToken.expectation)")
        }
        device = Device(id: id, app: app, provider: .apns, token: token, registeredAt: now)
    }
}
