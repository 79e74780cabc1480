/// The keys of a browser's push subscription for encryption (Push API, `PushSubscription.getKey`; RFC 8291 §3.1).
/// Secrets.
package struct WebPushKeys: Sendable, Hashable {
    /// The browser's public key: a point on P-256, uncompressed, 65 bytes.
    package let p256dh: [UInt8]
    /// The authentication secret, 16 bytes.
    package let auth: [UInt8]

    /// Nil if the lengths are wrong.
    package init?(p256dh: [UInt8], auth: [UInt8]) {
        guard p256dh.count == 65, p256dh[0] == 4, auth.count == 16 else { return nil }
        self.p256dh = p256dh
        self.auth = auth
    }

    /// Whether this is the authentication secret. The time that it takes tells nothing about the secret.
    package func isSecret(_ bytes: [UInt8]) -> Bool {
        bytes.count == auth.count && zip(bytes, auth).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension WebPushKeys: CustomStringConvertible {
    package var description: String { "Web Push keys" }
}
