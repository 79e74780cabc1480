import CryptoExtras
import Inbox
import JSON
import Push
import Testing

@testable import Gateway

struct APNsTokenCheckTests {
    static let header: JSONObject = ["alg": "ES256", "kid": "KEY"]
    static let claims: JSONObject = ["iss": "TEAM", "iat": Timestamp.noon.numericDate]
    static let key = P256.Signing.PrivateKey()
    static let check = APNsTokenCheck(key: key.publicKey, keyID: "KEY", teamID: "TEAM")

    static func token(
        _ header: JSONObject = header, _ claims: JSONObject = claims, key: P256.Signing.PrivateKey = key
    ) throws -> String {
        let input = [JSONValue.object(header).encoded, JSONValue.object(claims).encoded].map { Base64URL.encode($0) }
            .joined(separator: ".")
        let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
        return "bearer \(input).\(Base64URL.encode(signature))"
    }

    static func with(_ object: JSONObject, _ key: String, _ value: JSONValue?) -> JSONObject {
        var object = object
        object[key] = value
        return object
    }

    @Test(arguments: [(0, CredentialCheck.valid), (3_600, .valid), (3_601, .expired), (1_000_000, .expired)])
    func `a token is good for an hour, also when it was seen before`(_ age: Int, _ check: CredentialCheck) throws {
        let now = Timestamp.noon + .seconds(age)
        let token = try Self.token()
        #expect(Self.check.check(token, at: .noon) == .valid)
        #expect(Self.check.check(token, at: now) == check)
        #expect(Self.check.check(token.replacing("bearer", with: "Bearer"), at: now) == check)
    }

    @Test func `a token of another form, key or team is none`() throws {
        let good = try Self.token()
        let wrong = [
            "", "bearer", "bearer ", good.replacing("bearer", with: "basic"), "bearer a.b.c", "bearer a", good + ".x",
            good.dropLast(4) + "AAAA", try Self.token(Self.with(Self.header, "alg", "HS256")),
            try Self.token(Self.with(Self.header, "kid", nil)), try Self.token(Self.with(Self.header, "kid", "OTHER")),
            try Self.token(Self.header, Self.with(Self.claims, "iss", nil)),
            try Self.token(Self.header, Self.with(Self.claims, "iss", "OTHER")),
            try Self.token(Self.header, Self.with(Self.claims, "iat", "1")),
            try Self.token(Self.header, Self.with(Self.claims, "iat", nil)),
            try Self.token(key: P256.Signing.PrivateKey()),
        ]
        for (index, token) in wrong.enumerated() {
            #expect(Self.check.check(token, at: .noon) == .invalid, "row \(index)")
        }
    }

    @Test func `a request may lack one`() { #expect(Self.check.check(nil, at: .noon) == .missing) }

    @Test(arguments: [.max, .min, -1, .max / 1_000, 253_402_300_800] as [Int64])
    func `a moment that no calendar has is no moment`(_ issued: Int64) throws {
        let token = try Self.token(Self.header, Self.with(Self.claims, "iat", .int(issued)))
        #expect(Self.check.check(token, at: .noon) == .invalid)
    }

    @Test func `a key of one's own may have any name, and be given as its public half`() throws {
        for pem in [Self.key.pemRepresentation, Self.key.publicKey.pemRepresentation] {
            let check = try APNsTokenCheck(pem: pem)
            let token = try Self.token(["alg": "ES256", "kid": "ANY"], Self.with(Self.claims, "iss", "ANY"))
            #expect(check.check(token, at: .noon) == .valid)
            #expect(try check.check(Self.token(key: P256.Signing.PrivateKey()), at: .noon) == .invalid)
        }
    }
}
