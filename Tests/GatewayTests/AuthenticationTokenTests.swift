import Foundation
import Gateway
import Inbox
import JSON
import JWTKit
import Testing

@Suite struct `A token` {
    static let user = "user-7"
    static let claims: JSONObject = ["sub": .string(user), "exp": (Timestamp.noon + .seconds(60)).numericDate]

    /// Keys for all four algorithms, none of them named.
    func authenticator(_ rules: TokenRules = TokenRules(), keySet: [JSONValue] = []) async throws -> Authenticator {
        let folder = try TemporaryFolder()
        var source = KeySource(secret: Secret(TestKeys.secret))
        source.publicKeyFiles = try [SigningAlgorithm.rs256, .es256, .edDSA].map {
            try folder.file("\($0).pem", PublicForm.pem($0))
        }
        if !keySet.isEmpty { source.jwksFile = try folder.file("keys.json", PublicForm.keySet(keySet)) }
        return try await Authenticator(source: source, rules: rules)
    }

    func outcome(
        of token: String, _ rules: TokenRules = TokenRules(), keySet: [JSONValue] = [], at now: Timestamp = .noon
    ) async throws -> Result<Credentials, TokenProblem> {
        let bearer = try #require(BearerToken(token))
        return try await authenticator(rules, keySet: keySet).verify(bearer, at: now)
    }

    // MARK: Signatures

    @Test(arguments: SigningAlgorithm.allCases)
    func `of the library is believed, whatever its algorithm`(_ algorithm: SigningAlgorithm) async throws {
        let expiry = Timestamp.noon + .seconds(60)
        let date = Date(timeIntervalSince1970: Double(expiry.milliseconds) / 1_000)
        let payload = TestPayload(sub: .init(value: Self.user), exp: .init(value: date))
        let token = try await TestIssuer.make(algorithm).collection.sign(payload)
        let credentials = try await outcome(of: token).get()
        #expect(credentials.user.name == Self.user)
        #expect(credentials.expiry == expiry)
        #expect(credentials.claims["sub"] == .string(Self.user))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `is refused when a byte of it was changed`(_ algorithm: SigningAlgorithm) async throws {
        let token = try await TestIssuer.make(algorithm).token(.object(Self.claims))
        let other: JSONObject = ["sub": "root", "exp": (Timestamp.noon + .seconds(60)).numericDate]
        var parts = token.split(separator: ".").map(String.init)
        parts[1] = TestIssuer.base64URL(JSONValue.object(other).encoded)
        #expect(try await outcome(of: parts.joined(separator: ".")) == .failure(.badSignature))
    }

    @Test(arguments: [SigningAlgorithm.rs256, .es256, .edDSA])
    func `signed with a public key as its secret is refused`(_ algorithm: SigningAlgorithm) async throws {
        let forger = try await TestIssuer.hs256(PublicForm.pem(algorithm))
        #expect(try await outcome(of: forger.token(.object(Self.claims))) == .failure(.badSignature))
        let keys = try [PublicForm.webKey(algorithm, identifier: "first")]
        let named = try forger.token(.object(Self.claims), header: ["kid": "first"])
        #expect(try await outcome(of: named, keySet: keys) == .failure(.algorithmNotAllowed))
    }

    @Test(arguments: ["none", "None", "NONE", "", "HS512", "hs256"] as [JSONValue])
    func `of another algorithm is refused, even with a valid signature`(_ name: JSONValue) async throws {
        let token = try await TestIssuer.hs256().token(.object(Self.claims), algorithm: name)
        #expect(try await outcome(of: token) == .failure(.algorithmNotAllowed))
        let bare = token.split(separator: ".").dropLast().joined(separator: ".") + "."
        #expect(try await outcome(of: bare) == .failure(.algorithmNotAllowed))
    }

    @Test(arguments: [
        (#"{"alg":"HS256"}"#, #"{"sub":"alice","sub":"bob","exp":1800000060}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"alice","exp":1800000060,"exp":9900000000}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"alice","s\u0075b":"alice","exp":1800000060}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"alice","exp":1800000060,"app":{"id":"a","id":"b"}}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"alice","exp":1800000060,"roles":[{"a":1,"a":1}]}"#),
        (#"{"alg":"HS256","alg":"none"}"#, #"{"sub":"alice","exp":1800000060}"#),
        (#"{"alg":"none","alg":"HS256"}"#, #"{"sub":"alice","exp":1800000060}"#),
        (#"{"alg":"HS256","kid":"a","kid":"b"}"#, #"{"sub":"alice","exp":1800000060}"#),
        (#"{"alg":"HS256","jwk":{"n":"a","n":"b"}}"#, #"{"sub":"alice","exp":1800000060}"#),
    ])
    func `in which a member stands twice is refused`(_ header: String, _ claims: String) async throws {
        let token = try await TestIssuer.hs256().token(header: header, claims: claims)
        #expect(try await outcome(of: token) == .failure(.malformed))
    }

    @Test func `of an algorithm that is switched off is refused`() async throws {
        let token = try await TestIssuer.make(.es256).token(.object(Self.claims))
        let rules = TokenRules(algorithms: [.hs256, .edDSA])
        #expect(try await outcome(of: token, rules) == .failure(.algorithmNotAllowed))
    }

    @Test(arguments: [
        ("", TokenProblem.badSignature), ("AAAA", .badSignature), ("A", .malformed), ("AB=", .malformed),
        ("AA.AA", .malformed), ("!!!!", .malformed), ("AB", .malformed),
    ])
    func `with a signature of another form is refused`(_ signature: String, _ problem: TokenProblem) async throws {
        for algorithm in SigningAlgorithm.allCases {
            let token = try await TestIssuer.make(algorithm).token(.object(Self.claims))
            let cut = token.split(separator: ".").dropLast().joined(separator: ".")
            #expect(try await outcome(of: "\(cut).\(signature)") == .failure(problem))
        }
    }

    @Test(arguments: [
        "x", ".", "..", "a.b", "a.b.c.d", "e30.e30.e30", "bnVsbA.e30.", "W10.e30.", "eyJhbGciOjF9.e30.",
        String(repeating: "A", count: 1 << 20),
    ])
    func `that is none is malformed`(_ text: String) async throws {
        #expect(try await outcome(of: text) == .failure(.malformed))
    }

    @Test func `with a critical extension or an odd key name is malformed`() async throws {
        for header in [["crit": ["b64"], "b64": false], ["kid": 7], ["kid": ["a"]]] as [JSONObject] {
            let token = try await TestIssuer.hs256().token(.object(Self.claims), header: header)
            #expect(try await outcome(of: token) == .failure(.malformed))
        }
    }

    // MARK: Key names

    @Test func `that names an unknown key is refused, though another key would verify it`() async throws {
        let keys = try [PublicForm.webKey(.es256, identifier: "first")]
        let issuer = try await TestIssuer.make(.es256)
        let known = try issuer.token(.object(Self.claims), header: ["kid": "first"])
        let unknown = try issuer.token(.object(Self.claims), header: ["kid": "second"])
        #expect(try await outcome(of: known, keySet: keys).get().user.name == Self.user)
        #expect(try await outcome(of: unknown, keySet: keys) == .failure(.unknownKey))
    }

    @Test func `may name a key where no key has a name`() async throws {
        let token = try await TestIssuer.make(.rs256).token(.object(Self.claims), header: ["kid": "any"])
        #expect(try await outcome(of: token).get().user.name == Self.user)
    }

    @Test func `of a key that nobody gave is refused`() async throws {
        let authenticator = try await Authenticator(
            source: KeySource(secret: Secret(TestKeys.secret)), rules: TokenRules())
        let token = try #require(BearerToken(try await TestIssuer.make(.es256).token(.object(Self.claims))))
        #expect(authenticator.verify(token, at: .noon) == .failure(.unknownKey))
        let other = try await TestIssuer.hs256("another secret of thirty-two bytes").token(.object(Self.claims))
        #expect(authenticator.verify(try #require(BearerToken(other)), at: .noon) == .failure(.badSignature))
    }
}
