import CryptoExtras
import Inbox
import JSON
import Push
import Testing

@testable import Gateway

struct GoogleTokenEndpointTests {
    static let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048)
    static let tokens = AccessTokens(secret: Secret("a secret of this test"))
    static let claims: JSONObject = [
        "iss": "me@example.com", "aud": "https://localhost/token", "iat": Timestamp.noon.numericDate,
        "exp": (Timestamp.noon + .seconds(3_600)).numericDate,
        "scope": "https://www.googleapis.com/auth/firebase.messaging",
    ]

    static func endpoint() throws -> GoogleTokenEndpoint {
        GoogleTokenEndpoint(
            key: try #require(key).publicKey, keyID: "K", clientEmail: "me@example.com",
            audience: "https://localhost/token", tokens: tokens)
    }

    static func ask(
        _ changes: JSONObject = [:], header: JSONObject = ["alg": "RS256", "kid": "K"],
        key: _RSA.Signing.PrivateKey? = key
    ) throws -> PushReply {
        var claims = claims
        for member in changes.members { claims[member.key] = member.value }
        let input = [JSONValue.object(header).encoded, JSONValue.object(claims).encoded].map { Base64URL.encode($0) }
            .joined(separator: ".")
        let signature = try #require(key).signature(for: Array(input.utf8), padding: .insecurePKCS1v1_5)
        let assertion = input + "." + Base64URL.encode(signature.rawRepresentation)
        return try ask(body: "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)")
    }

    static func ask(method: String = "POST", body: String) throws -> PushReply {
        try endpoint().receive(
            SinkRequest(method: method, path: "/token", body: Array(body.utf8)), at: .noon)
    }

    @Test func `a signed assertion becomes an access token for an hour`() throws {
        let reply = try Self.ask()
        #expect(reply.status == 200)
        let answer = try JSONValue(parsing: reply.body)
        let token = try #require(answer.at(["access_token"])?.string)
        #expect((answer.at(["expires_in"]), answer.at(["token_type"])) == (3_599, "Bearer"))
        #expect(Self.tokens.check(token, at: .noon) == .valid)
        #expect(Self.tokens.check(token, at: .noon + .milliseconds(3_598_999)) == .valid)
        #expect(Self.tokens.check(token, at: .noon + .seconds(3_599)) == .expired)
        #expect(AccessTokens(secret: Secret("another")).check(token, at: .noon) == .invalid)
    }

    @Test(
        arguments: [
            (["iss": "you@example.com"], "invalid_grant"),
            (["aud": "https://oauth2.googleapis.com/token"], "invalid_grant"),
            (["scope": "email"], "invalid_scope"), (["scope": nil], "invalid_scope"),
            (["exp": (Timestamp.noon + .seconds(3_601)).numericDate], "invalid_grant"),
            (["exp": Timestamp.noon.numericDate], "invalid_grant"), (["iat": nil], "invalid_grant"),
            (["iat": (Timestamp.noon + .seconds(301)).numericDate], "invalid_grant"),
            (["iat": .int(.min), "exp": .int(.max)], "invalid_grant"),
        ] as [(JSONObject, JSONValue)])
    func `a claim that is wrong is refused with Google's word`(_ changes: JSONObject, _ error: JSONValue) throws {
        let reply = try Self.ask(changes)
        #expect(reply.status == 400)
        #expect(try JSONValue(parsing: reply.body).at(["error"]) == error)
    }

    @Test func `another key, its name or another algorithm is refused`() throws {
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let replies = [
            try Self.ask(key: other), try Self.ask(header: ["alg": "RS256", "kid": "L"]),
            try Self.ask(header: ["alg": "none", "kid": "K"]),
        ]
        for reply in replies {
            #expect(try JSONValue(parsing: reply.body).at(["error_description"]) == "Invalid JWT Signature.")
        }
    }

    @Test(arguments: [
        ("GET", "", "invalid_request"), ("POST", "", "unsupported_grant_type"),
        ("POST", "grant_type=password", "unsupported_grant_type"), ("POST", "a=%zz", "invalid_request"),
        ("POST", "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer", "invalid_request"),
    ])
    func `a request of another kind is refused`(method: String, body: String, error: JSONValue) throws {
        let reply = try Self.ask(method: method, body: body)
        #expect(reply.status == 400)
        #expect(try JSONValue(parsing: reply.body).at(["error"]) == error)
    }

    @Test(arguments: ["", "ya29.", "ya29.AAAA", "other", "ya29." + String(repeating: "A", count: 64)])
    func `a text that it did not hand out is no access token`(_ token: String) {
        #expect(Self.tokens.check(token, at: .noon) == .invalid)
    }

    @Test func `two tokens of one moment are two`() {
        #expect(Self.tokens.issue(at: .noon) != Self.tokens.issue(at: .noon))
    }
}
