import Crypto
import Inbox
import JSON
import Push
import Testing

struct WebPushVAPIDTests {
    private func endpoint(_ origin: String = "https://fcm.googleapis.com") throws -> WebPushEndpoint {
        try WebPushEndpoint(origin + "/x", hosts: [".googleapis.com", ".push.apple.com"])
    }

    /// The token in a header's value.
    private func token(_ authorization: String) throws -> [Substring] {
        let token = authorization.dropFirst("vapid t=".count).prefix { $0 != "," }
        return token.split(separator: ".")
    }

    @Test func `a token names the service, its end and whom to ask, and is signed with the key`() throws {
        var tokens = try vapidTokens()
        let parts = try token(try tokens.authorization(for: try endpoint(), at: now))
        #expect(text(try bytes(String(parts[0]))) == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(
            text(try bytes(String(parts[1])))
                == #"{"aud":"https://fcm.googleapis.com","exp":1764043200,"sub":"mailto:ops@example.com"}"#)
        let key = try P256.Signing.PublicKey(x963Representation: try bytes(try VAPIDKey(vapidKeyText).publicKey))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(String(parts[2])))
        #expect(key.isValidSignature(signature, for: Array((parts[0] + "." + parts[1]).utf8)))
    }

    @Test(arguments: [(0.0, false), (5.99, false), (6, true), (30, true), (-1, true)])
    func `a token is renewed after half its life`(hours: Double, isRenewed: Bool) throws {
        var tokens = try vapidTokens()
        let first = try tokens.authorization(for: try endpoint(), at: now)
        let second = try tokens.authorization(for: try endpoint(), at: now + .seconds(hours * 3_600))
        #expect((first != second) == isRenewed)
    }

    @Test func `each service has a token of its own`() throws {
        var tokens = try vapidTokens()
        let google = try tokens.authorization(for: try endpoint(), at: now)
        let apple = try tokens.authorization(for: try endpoint("https://web.push.apple.com"), at: now)
        #expect(try token(google)[1] != token(apple)[1])
        #expect(try tokens.authorization(for: try endpoint(), at: now) == google)
    }

    @Test func `so many tokens are kept and no more, the oldest go first`() throws {
        var tokens = try vapidTokens()
        let first = try tokens.authorization(for: try endpoint("https://a0.push.apple.com"), at: now)
        let second = try tokens.authorization(for: try endpoint("https://a1.push.apple.com"), at: now + .seconds(1))
        for number in 2...VAPIDTokens.maximumCount {
            _ = try tokens.authorization(for: try endpoint("https://a\(number).push.apple.com"), at: now + .seconds(2))
        }
        #expect(
            try tokens.authorization(for: try endpoint("https://a1.push.apple.com"), at: now + .seconds(3)) == second)
        #expect(
            try tokens.authorization(for: try endpoint("https://a0.push.apple.com"), at: now + .seconds(3)) != first)
    }

    @Test func `a key is read in each form that tools write`() throws {
        let key = P256.Signing.PrivateKey()
        let publicKey = Base64URL.encode(key.publicKey.x963Representation)
        let sec1 = """
            -----BEGIN EC PARAMETERS-----
            BggqhkjOPQMBBw==
            -----END EC PARAMETERS-----
            \(Self.sec1PEM)
            """
        #expect(try VAPIDKey(key.pemRepresentation).publicKey == publicKey)
        #expect(try VAPIDKey(key.pemRepresentation + "\n").publicKey == publicKey)
        #expect(try VAPIDKey(Base64URL.encode(key.rawRepresentation) + "\n").publicKey == publicKey)
        #expect(try VAPIDKey(sec1).publicKey == RFC8291.browserPublicKey)
    }

    /// The RFC's key as `openssl ec` writes it (RFC 5915), built from its bytes.
    private static var sec1PEM: String {
        let scalar = Base64URL.decodeLeniently(RFC8291.browserPrivateKey) ?? []
        let point = Base64URL.decodeLeniently(RFC8291.browserPublicKey) ?? []
        let curve: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let der = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20] + scalar + curve + [0xA1, 0x44, 0x03, 0x42, 0x00] + point
        let text = Base64URL.encode(der).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padded = String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
        var lines: [Substring] = []
        var rest = padded[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return "-----BEGIN EC PRIVATE KEY-----\n" + lines.joined(separator: "\n") + "\n-----END EC PRIVATE KEY-----"
    }

    @Test func `a text that is no key is refused in words`() {
        let other = P384.Signing.PrivateKey().pemRepresentation
        #expect(throws: VAPIDKeyError.notP256) { try VAPIDKey(other) }
        #expect(throws: VAPIDKeyError.noKey) { try VAPIDKey("") }
        #expect(throws: VAPIDKeyError.noKey) { try VAPIDKey("not a key") }
        #expect(throws: VAPIDKeyError.noKey) {
            try VAPIDKey(P256.Signing.PrivateKey().publicKey.pemRepresentation)
        }
        #expect(throws: VAPIDKeyError.notP256) { try VAPIDKey("AAAA") }
    }
}
