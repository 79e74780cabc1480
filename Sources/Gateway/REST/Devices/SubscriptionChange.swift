import Inbox
import JSON
import Push
import WireProtocol

/// `POST /api/push/subscription {endpoint, auth, subscription}`: a browser has replaced its subscription while no page
/// was open, and tells it without a token (Push API, `pushsubscriptionchange`).
///
/// The secret `auth` of the earlier subscription stands for a token. Only the browser and this server know it: the push
/// service does not, and no call gives it away.
struct SubscriptionChange {
    /// The earlier one, in the form in which it is stored.
    let endpoint: WebPushEndpoint
    private let auth: [UInt8]
    private let subscription: WebPushSubscription

    /// - Parameter hosts: the allowed hosts of push services.
    init(_ body: [UInt8], hosts: [String], at now: Timestamp) throws(Problem) {
        let json = try JSONBody.parse(body)
        guard let text = json.at(["endpoint"])?.string else {
            throw .member("missing_field", "endpoint", "expected the earlier subscription's endpoint, a URL")
        }
        guard let auth = json.at(["auth"])?.string.flatMap(Base64URL.decodeLeniently) else {
            throw .member("missing_field", "auth", "expected the earlier subscription's secret in base64url")
        }
        guard let subscription = json.at(["subscription"]) else {
            throw .member("missing_field", "subscription", "expected the new push subscription")
        }
        self.auth = auth
        do {
            endpoint = try WebPushEndpoint(text, hosts: hosts)
        } catch {
            throw .member("invalid_value", "endpoint", error.description)
        }
        do {
            self.subscription = try WebPushSubscription(subscription, hosts: hosts, at: now)
        } catch {
            throw Problem(error, at: "/subscription" + error.pointer)
        }
    }

    /// The device with its new subscription; nil for a caller who does not know the earlier one's secret.
    func applied(to known: Device, at now: Timestamp) -> Device? {
        guard known.keys?.isSecret(auth) == true else { return nil }
        var device = known
        device.token = subscription.endpoint.url
        device.keys = subscription.keys
        device.scope = subscription.scope ?? known.scope
        device.expiresAt = subscription.expiration
        (device.registeredAt, device.lastSeenAt) = (now, now)
        return device
    }
}
