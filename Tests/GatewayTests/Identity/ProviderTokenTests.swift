import Foundation
import Inbox
import JSON
import Testing

@testable import Gateway

/// Tokens of providers whose keys are fetched. No test here fetches any: they hand over what was fetched.
@Suite struct `A token of a provider` {
    private static let issuer = "https://id.example/"

    private static func provider(
        _ name: String, issuer: String = issuer, app: AppName = .unnamed, audience: [String] = ["belfry"],
        algorithms: Set<SigningAlgorithm> = [.es256, .rs256], _ change: (inout TokenRules) -> Void = { _ in }
    ) throws -> IdentityProvider {
        var rules = TokenRules(app: app, algorithms: algorithms, audience: audience, issuer: issuer)
        rules.provider = name
        change(&rules)
        return try IdentityProvider(
            name: name, rules: rules, plan: KeyRefresh.Plan(issuer: #require(ProviderURL(issuer))))
    }

    private static func claims(_ others: JSONObject = [:]) -> JSONValue {
        var claims: JSONObject = [
            "sub": "sarah", "iss": .string(issuer), "aud": "belfry", "exp": (Timestamp.noon + .seconds(60)).numericDate,
        ]
        for name in others.keys { claims[name] = others[name] == .null ? nil : others[name] }
        return .object(claims)
    }

    private static func token(
        _ algorithm: SigningAlgorithm = .es256, key: String? = "one", saying others: JSONObject = [:]
    ) async throws -> String {
        try await TestIssuer.make(algorithm).token(claims(others), header: key.map { ["kid": .string($0)] } ?? [:])
    }

    private static func key(_ name: String, _ algorithm: SigningAlgorithm = .es256) throws -> JSONValue {
        try PublicForm.webKey(algorithm, identifier: name)
    }

    @Test func `is neither good nor bad before its keys are there, and then good`() async throws {
        let authenticator = try await Authenticator([], providers: [Self.provider("a")])
        let token = try await Self.token()
        #expect(authenticator.verify(token, at: .noon) == .failure(.keysPending))
        #expect(try await authenticator.install([Self.key("one")], of: "a") == .replaced(notes: []))
        #expect(try authenticator.verify(token, at: .noon).get().user.name == "sarah")
        #expect(authenticator.keyCount(of: "a") == 1)
    }

    @Test(
        arguments: [
            (["iss": "https://other.example/"], .unknownKey), (["aud": "other"], .wrongAudience),
            (["exp": 1], .expired), (["sub": .null], .missingUser),
        ] as [(JSONObject, TokenProblem)])
    func `is refused for what it says, even before its keys are there`(_ claims: JSONObject, _ problem: TokenProblem)
        async throws
    {
        let authenticator = try await Authenticator([], providers: [Self.provider("a")])
        #expect(try await authenticator.verify(Self.token(saying: claims), at: .noon) == .failure(problem))
    }

    @Test func `ends when its key is published no more, and not when the same keys come again`() async throws {
        let authenticator = try await Authenticator([], providers: [Self.provider("a")])
        _ = try await authenticator.install([Self.key("one"), Self.key("two")], of: "a")
        let token = try await Self.token()
        let signer = try authenticator.verify(token, at: .noon).get().signer
        #expect(try await authenticator.install([Self.key("two"), Self.key("one")], of: "a") == .unchanged)
        #expect(authenticator.keys.trusts(signer))
        _ = try await authenticator.install([Self.key("two")], of: "a")
        #expect(!authenticator.keys.trusts(signer))
        #expect(authenticator.verify(token, at: .noon) == .failure(.keysPending))
    }

    @Test func `is verified by public keys for signatures alone, and other keys cost the good one nothing`()
        async throws
    {
        let authenticator = try await Authenticator([], providers: [Self.provider("a")])
        var encryption = try #require(try Self.key("enc").object)
        encryption["use"] = "enc"
        let set: [JSONValue] = [
            try Self.key("secret", .hs256), .object(encryption), ["kty": "LMS", "kid": "new"], "text", 7, [:],
            try Self.key("one"), try Self.key("ed", .edDSA),
        ]
        guard case .replaced(let notes) = try await authenticator.install(set, of: "a") else {
            Issue.record("nothing was taken")
            return
        }
        #expect(notes.count == 7)
        #expect(authenticator.keyCount(of: "a") == 1)
        for (algorithm, name) in [(.hs256, "secret"), (.edDSA, "ed")] as [(SigningAlgorithm, String)] {
            guard case .failure = try await authenticator.verify(Self.token(algorithm, key: name), at: .noon) else {
                Issue.record("\(name) verifies")
                continue
            }
        }
    }

    @Test func `keeps its keys when a set has none that can be used`() async throws {
        let authenticator = try await Authenticator([], providers: [Self.provider("a")])
        _ = try await authenticator.install([Self.key("one")], of: "a")
        for set in [[], [try Self.key("secret", .hs256)]] as [[JSONValue]] {
            await #expect(throws: KeyProblem.self) { try await authenticator.install(set, of: "a") }
        }
        #expect(try await authenticator.verify(Self.token(), at: .noon).get().user.name == "sarah")
    }

    @Test func `belongs to the app of its provider, beside those of files`() async throws {
        let golf = try #require(AppName("golf"))
        let authenticator = try await Authenticator(
            [.init(source: KeySource(secret: Secret(TestKeys.secret)), rules: TokenRules())],
            providers: [Self.provider("a"), Self.provider("b", issuer: "https://b.example/", app: golf)])
        _ = try await authenticator.install([Self.key("one")], of: "a")
        _ = try await authenticator.install([Self.key("one", .rs256)], of: "b")
        let golfer = try await Self.token(.rs256, saying: ["iss": "https://b.example/"])
        #expect(try authenticator.verify(golfer, at: .noon).get().user.app == golf)
        #expect(try await authenticator.verify(Self.token(), at: .noon).get().user.app == .unnamed)
        #expect(try await authenticator.verify(Self.token(.hs256, key: nil), at: .noon).get().user.app == .unnamed)
    }

    @Test func `is not verified by a key that another provider publishes under the same name`() async throws {
        let authenticator = try await Authenticator(
            [], providers: [Self.provider("a"), Self.provider("b", issuer: "https://b.example/")])
        _ = try await authenticator.install([Self.key("one")], of: "a")
        _ = try await authenticator.install([Self.key("one", .rs256)], of: "b")
        let forged = try await Self.token(.rs256)
        guard case .failure = authenticator.verify(forged, at: .noon) else {
            Issue.record("b's key verifies a's token")
            return
        }
    }

    @Test func `has its audience in the claim that the settings name`() async throws {
        let authenticator = try await Authenticator(
            [], providers: [Self.provider("a") { $0.audienceClaim = "client_id" }])
        _ = try await authenticator.install([Self.key("one")], of: "a")
        #expect(try await authenticator.verify(Self.token(), at: .noon) == .failure(.wrongAudience))
        let token = try await Self.token(saying: ["client_id": "belfry", "aud": .null])
        #expect(try authenticator.verify(token, at: .noon).get().user.name == "sarah")
    }

    @Test func `may be of a provider that publishes the key of another app's file, if it names another issuer`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.pem", PublicForm.pem(.es256))
        let golf = try #require(AppName("golf"))
        let open = try await Authenticator(
            [.init(source: KeySource(publicKeyFiles: [file]), rules: TokenRules(app: golf))],
            providers: [Self.provider("a")])
        await #expect(throws: KeyProblem.self) { try await open.install([Self.key("one")], of: "a") }
        let apart = try await Authenticator(
            [.init(source: KeySource(publicKeyFiles: [file]), rules: TokenRules(app: golf, issuer: "golf"))],
            providers: [Self.provider("a")])
        _ = try await apart.install([Self.key("one")], of: "a")
        #expect(try await apart.verify(Self.token(), at: .noon).get().user.app == .unnamed)
    }
}
