import Crypto
package import JSON

/// A browser with a subscription: the values that it tells a server, and the keys that it needs to read pushes.
package struct WebPushSubscriber: Sendable {
    /// Names the subscription at its push service.
    package let id: String
    /// The push service's origin.
    package let baseURL: String
    /// The only server that may push to it, named by the page; nil for any server that names itself (RFC 8292 §4).
    package let applicationServerKey: String?
    private let privateKey: P256.KeyAgreement.PrivateKey
    private let auth: [UInt8]

    /// Nil unless the key is a scalar of P-256, 32 bytes, and the secret has 16.
    package init?(
        id: String, baseURL: String, applicationServerKey: String? = nil, privateKey: [UInt8], auth: [UInt8]
    ) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey), auth.count == 16 else {
            return nil
        }
        self.init(id: id, baseURL: baseURL, applicationServerKey: applicationServerKey, key: key, auth: auth)
    }

    private init(
        id: String, baseURL: String, applicationServerKey: String?, key: P256.KeyAgreement.PrivateKey, auth: [UInt8]
    ) {
        self.id = id
        self.baseURL = baseURL
        self.applicationServerKey = applicationServerKey
        privateKey = key
        self.auth = auth
    }

    /// A new subscriber; its secrets come from the system's source of secure random bytes.
    ///
    /// - Parameter baseURL: `https://localhost:4443`, without a slash at the end.
    package static func random(id: String, baseURL: String, applicationServerKey: String?) -> WebPushSubscriber {
        var source = SystemRandomNumberGenerator()
        return WebPushSubscriber(
            id: id, baseURL: baseURL, applicationServerKey: applicationServerKey, key: P256.KeyAgreement.PrivateKey(),
            auth: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// The URL for pushes: ``Device/token``.
    package var endpoint: String { baseURL + WebPushStandIn.pathPrefix + id }

    package var keys: WebPushKeys? { WebPushKeys(p256dh: Array(privateKey.publicKey.x963Representation), auth: auth) }

    /// The result of a browser's `PushSubscription.toJSON()`.
    package var subscriptionJSON: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("endpoint", endpoint)
            json.member("expirationTime", .null)
            json.key("keys")
            json.object { json in
                json.member("p256dh", Base64URL.encode(privateKey.publicKey.x963Representation))
                json.member("auth", Base64URL.encode(auth))
            }
        }
        return json.bytes
    }

    /// The whole subscriber, for a file; ``init(_:)`` reads it. Secret.
    package var storedJSON: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("id", id)
            json.member("baseURL", baseURL)
            if let applicationServerKey { json.member("applicationServerKey", applicationServerKey) }
            json.member("privateKey", Base64URL.encode(privateKey.rawRepresentation))
            json.member("auth", Base64URL.encode(auth))
        }
        return json.bytes
    }

    /// Nil for any other form than that of ``storedJSON``.
    package init?(_ json: JSONValue) {
        guard let id = json.at(["id"])?.string, let baseURL = json.at(["baseURL"])?.string,
            let privateKey = json.at(["privateKey"])?.string.flatMap(Base64URL.decodeLeniently),
            let auth = json.at(["auth"])?.string.flatMap(Base64URL.decodeLeniently)
        else { return nil }
        self.init(
            id: id, baseURL: baseURL, applicationServerKey: json.at(["applicationServerKey"])?.string,
            privateKey: privateKey, auth: auth)
    }

    /// Decrypts a push's body.
    package func decrypt(_ body: [UInt8]) throws(WebPushDecryptionError) -> [UInt8] {
        try WebPushEncryption.decrypt(body, privateKey: privateKey, auth: auth)
    }
}

extension WebPushSubscriber: CustomStringConvertible {
    package var description: String { "Web Push subscriber \(id)" }
}
