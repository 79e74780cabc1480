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
}

extension WebPushKeys: CustomStringConvertible {
    package var description: String { "Web Push keys" }
}
