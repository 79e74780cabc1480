import Crypto
package import Inbox
package import JSON

/// A browser's subscription from its page: the JSON of `PushSubscription.toJSON()` (Push API §8).
///
/// ```json
/// {"endpoint": "https://…", "expirationTime": null, "keys": {"p256dh": "BN…", "auth": "k8…"}}
/// ```
///
/// A page that takes declarative pushes adds its `scope`: ``WebPushScope``.
package struct WebPushSubscription: Sendable, Hashable {
    package let endpoint: WebPushEndpoint
    package let keys: WebPushKeys
    /// When the browser will drop it; nil if it did not tell.
    package let expiration: Timestamp?
    /// See ``WebPushScope``; nil if the page did not tell it.
    package let scope: String?

    /// - Parameter hosts: the allowed hosts of push services.
    package init(_ json: JSONValue, hosts: [String], at now: Timestamp) throws(WebPushSubscriptionProblem) {
        guard let object = json.object else {
            throw WebPushSubscriptionProblem("", "expected a push subscription, an object, found \(json.kind)")
        }
        let url = try Self.text(object["endpoint"], at: "/endpoint", expected: "the push service's URL")
        do {
            endpoint = try WebPushEndpoint(url, hosts: hosts)
        } catch {
            throw WebPushSubscriptionProblem("/endpoint", error.description)
        }
        expiration = try Self.expiration(object["expirationTime"], at: now)
        scope = try Self.scope(object["scope"])
        keys = try Self.keys(object["keys"])
    }

    private static func scope(_ json: JSONValue?) throws(WebPushSubscriptionProblem) -> String? {
        guard let json, json != .null else { return nil }
        let scope = try text(json, at: "/scope", expected: WebPushScope.expectation)
        guard WebPushScope(scope) != nil else {
            throw WebPushSubscriptionProblem("/scope", "expected \(WebPushScope.expectation)")
        }
        return scope
    }

    private static func keys(_ json: JSONValue?) throws(WebPushSubscriptionProblem) -> WebPushKeys {
        guard let object = json?.object else {
            throw WebPushSubscriptionProblem("/keys", "expected an object with p256dh and auth")
        }
        let point = "the browser's public key, an uncompressed point on P-256 of 65 bytes in base64url"
        let secret = "the authentication secret of 16 bytes in base64url"
        let p256dh = try text(object["p256dh"], at: "/keys/p256dh", expected: point)
        let auth = try text(object["auth"], at: "/keys/auth", expected: secret)
        guard let authBytes = Base64URL.decodeLeniently(auth), authBytes.count == 16 else {
            throw WebPushSubscriptionProblem("/keys/auth", "expected \(secret)")
        }
        // Otherwise a point outside the curve would fail only when the first push is encrypted.
        guard let pointBytes = Base64URL.decodeLeniently(p256dh),
            let keys = WebPushKeys(p256dh: pointBytes, auth: authBytes),
            (try? P256.KeyAgreement.PublicKey(x963Representation: pointBytes)) != nil
        else { throw WebPushSubscriptionProblem("/keys/p256dh", "expected \(point)") }
        return keys
    }

    /// Milliseconds since 1970, which browsers may write with a fraction; null in most of them.
    private static func expiration(_ json: JSONValue?, at now: Timestamp) throws(WebPushSubscriptionProblem)
        -> Timestamp?
    {
        let expected = "expected a time in the future, in milliseconds since 1970, or null"
        let milliseconds: Int64? =
            switch json {
            case nil, .null: nil
            // Thousands of years away means never; such a number could overflow in later sums.
            case .int(let number): number < farAway ? number : nil
            case .double(let number): number < Double(farAway) ? Int64(max(number, 0)) : nil
            case .number(let number): number.double < Double(farAway) ? Int64(max(number.double, 0)) : nil
            default: throw WebPushSubscriptionProblem("/expirationTime", expected)
            }
        guard let milliseconds else { return nil }
        guard milliseconds > now.milliseconds else { throw WebPushSubscriptionProblem("/expirationTime", expected) }
        return Timestamp(milliseconds: milliseconds)
    }

    private static let farAway: Int64 = 1_000_000_000_000_000

    private static func text(
        _ json: JSONValue?, at pointer: String, expected: String
    ) throws(WebPushSubscriptionProblem) -> String {
        guard let json else { throw WebPushSubscriptionProblem(pointer, "expected \(expected)") }
        guard let text = json.string else {
            throw WebPushSubscriptionProblem(pointer, "expected \(expected), found \(json.kind)")
        }
        return text
    }
}
