import Inbox
import JSON
import Push
import Testing

@testable import Gateway

struct ProviderTokenCheckTests {
    static let header: JSONObject = ["alg": "ES256", "kid": "KEY"]
    static let claims: JSONObject = ["iss": "TEAM", "iat": Timestamp.noon.numericDate]

    static func token(
        _ header: JSONObject = header, _ claims: JSONObject = claims, signatureBytes: Int = 64
    ) -> String {
        let parts = [JSONValue.object(header).encoded, JSONValue.object(claims).encoded]
        return (parts + [[UInt8](repeating: 7, count: signatureBytes)]).map { Base64URL.encode($0) }
            .joined(separator: ".")
    }

    static func with(_ object: JSONObject, _ key: String, _ value: JSONValue?) -> JSONObject {
        var object = object
        object[key] = value
        return object
    }

    @Test(arguments: [(0, APNsStandIn.TokenCheck.valid), (3_600, .valid), (3_601, .expired), (1_000_000, .expired)])
    func `a token is good for an hour`(_ age: Int, _ check: APNsStandIn.TokenCheck) {
        let now = Timestamp.noon + .seconds(age)
        #expect(ProviderTokenCheck.check("bearer \(Self.token())", at: now) == check)
        #expect(ProviderTokenCheck.check("Bearer \(Self.token())", at: now) == check)
    }

    @Test(arguments: [
        nil, "", "bearer", "bearer ", "basic \(token())", token(), "bearer a.b.c", "bearer \(token()).x",
        "bearer \(token(with(header, "alg", "HS256")))", "bearer \(token(with(header, "kid", nil)))",
        "bearer \(token(header, with(claims, "iss", nil)))", "bearer \(token(header, with(claims, "iat", "1")))",
        "bearer \(token(header, with(claims, "iat", nil)))", "bearer \(token(signatureBytes: 63))",
        "bearer \(token(signatureBytes: 0))",
    ])
    func `a token of another form is none`(_ authorization: String?) {
        #expect(ProviderTokenCheck.check(authorization, at: .noon) == .invalid)
    }

    @Test(arguments: [.max, .min, -1, .max / 1_000, 253_402_300_800] as [Int64])
    func `a moment that no calendar has is no moment`(_ issued: Int64) {
        let token = Self.token(Self.header, Self.with(Self.claims, "iat", .int(issued)))
        #expect(ProviderTokenCheck.check("bearer \(token)", at: .noon) == .invalid)
    }
}
