import Foundation
import Inbox
import JSON
import Testing

@testable import Gateway

/// Tokens of several apps, each with keys and rules of its own.
@Suite struct `A token of one of several apps` {
    private static let golf = AppName("golf") ?? .unnamed
    private static let rooms = AppName("rooms") ?? .unnamed
    private static let other = "another secret of thirty-two bytes or more"

    private static func app(_ name: AppName, _ secret: String, issuer: String? = nil, audience: [String] = [])
        -> Authenticator.App
    {
        Authenticator.App(
            source: KeySource(secret: Secret(secret)), rules: TokenRules(app: name, audience: audience, issuer: issuer))
    }

    private static func token(_ secret: String, _ claims: JSONObject = [:], expiry: Timestamp = .noon + .seconds(60))
        throws
        -> String
    {
        let issuer = try TokenIssuer(secret: Secret(secret))
        let user = try #require(UserID("sarah"))
        return try issuer.token(for: user, at: .noon, lifetime: expiry - .noon, claims: claims)
    }

    @Test func `belongs to the app whose key has signed it`() async throws {
        let authenticator = try await Authenticator([
            Self.app(.unnamed, TestKeys.secret), Self.app(Self.golf, Self.other),
        ])
        let guest = try authenticator.verify(Self.token(TestKeys.secret), at: .noon).get()
        let golfer = try authenticator.verify(Self.token(Self.other), at: .noon).get()
        #expect((guest.user.app, golfer.user.app) == (.unnamed, Self.golf))
        #expect(guest.user != golfer.user)
        #expect(authenticator.keys.trusts(golfer.signer, in: Self.golf))
        #expect(!authenticator.keys.trusts(golfer.signer, in: .unnamed))
        #expect(!authenticator.keys.trusts(guest.signer, in: Self.golf))
    }

    @Test(arguments: [("a", "golf"), ("b", "rooms")])
    func `belongs to the app that its issuer tells, where one key signs for both`(_ issuer: String, _ app: String)
        async throws
    {
        let authenticator = try await Authenticator([
            Self.app(Self.golf, Self.other, issuer: "a"), Self.app(Self.rooms, Self.other, issuer: "b"),
        ])
        let token = try Self.token(Self.other, ["iss": .string(issuer)])
        #expect(try authenticator.verify(token, at: .noon).get().user.app.text == app)
        #expect(try authenticator.verify(Self.token(Self.other), at: .noon) == .failure(.wrongIssuer))
    }

    @Test func `is refused for the reason of the app that has signed it`() async throws {
        let authenticator = try await Authenticator([
            Self.app(Self.golf, Self.other), Self.app(Self.rooms, TestKeys.secret),
        ])
        let late = Timestamp.noon + .seconds(3_600)
        for secret in [Self.other, TestKeys.secret] {
            #expect(try authenticator.verify(Self.token(secret), at: late) == .failure(.expired))
        }
        let strange = try Self.token("a secret of no app, which has enough bytes")
        #expect(authenticator.verify(strange, at: .noon) == .failure(.badSignature))
    }

    @Test(
        arguments: [
            (nil, nil, [], [], false), ("a", nil, [], [], false), ("a", "b", [], [], true), ("a", "a", [], [], false),
            (nil, nil, ["x"], ["y"], true), (nil, nil, ["x", "y"], ["y"], false), (nil, nil, ["x"], [], false),
        ] as [(String?, String?, [String], [String], Bool)])
    func `fits one app only, or the settings are refused`(
        _ one: String?, _ two: String?, _ first: [String], _ second: [String], _ isAllowed: Bool
    ) async throws {
        let apps = [
            Self.app(Self.golf, Self.other, issuer: one, audience: first),
            Self.app(Self.rooms, Self.other, issuer: two, audience: second),
        ]
        do {
            _ = try await Authenticator(apps)
            #expect(isAllowed)
        } catch {
            #expect(!isAllowed && error.source == "auth.apps.rooms" && !error.reason.contains(Self.other))
        }
    }

    @Test func `with two audiences fits no app where one key signs for both, and one where each has its own`()
        async throws
    {
        let shared = try await Authenticator([
            Self.app(Self.golf, Self.other, audience: ["a"]), Self.app(Self.rooms, Self.other, audience: ["b"]),
        ])
        #expect(try shared.verify(Self.token(Self.other, ["aud": ["b", "a"]]), at: .noon) == .failure(.wrongAudience))
        #expect(try shared.verify(Self.token(Self.other, ["aud": ["b"]]), at: .noon).get().user.app == Self.rooms)
        let apart = try await Authenticator([
            Self.app(Self.golf, TestKeys.secret, audience: ["a"]), Self.app(Self.rooms, Self.other, audience: ["b"]),
        ])
        #expect(try apart.verify(Self.token(Self.other, ["aud": ["b", "a"]]), at: .noon).get().user.app == Self.rooms)
        // The problem is the one that its own app finds: its key is no other app's.
        #expect(try apart.verify(Self.token(Self.other, ["aud": "c"]), at: .noon) == .failure(.wrongAudience))
    }

    @Test func `is of one key, whatever its name is in another app's set`() async throws {
        let folder = try TemporaryFolder()
        func set(_ name: String, _ identifier: String) throws -> KeySource {
            let key = try PublicForm.webKey(.es256, identifier: identifier)
            return KeySource(jwksFile: try folder.file(name, PublicForm.keySet([key])))
        }
        let pem = KeySource(publicKeyFiles: [try folder.file("key.pem", PublicForm.pem(.es256))])
        for (one, two) in [(try set("a.json", "k1"), try set("b.json", "k2")), (pem, try set("c.json", "k1"))] {
            await #expect(throws: KeyProblem.self) {
                try await Authenticator([
                    Authenticator.App(source: one, rules: TokenRules(app: Self.golf)),
                    Authenticator.App(source: two, rules: TokenRules(app: Self.rooms)),
                ])
            }
        }
    }

    @Test func `is judged by its app's new keys, whatever is wrong with another app's`() async throws {
        let folder = try TemporaryFolder()
        let rooms = try folder.file("rooms", Self.other)
        let golf = try folder.file("golf", TestKeys.secret)
        let authenticator = try await Authenticator([
            Authenticator.App(source: KeySource(secretFile: golf), rules: TokenRules(app: Self.golf)),
            Authenticator.App(source: KeySource(secretFile: rooms), rules: TokenRules(app: Self.rooms)),
        ])
        try folder.file("golf", "short")
        try folder.file("rooms", "a third secret, of thirty-two bytes or more")
        #expect(await authenticator.reloadIfChanged() == .replaced(notes: []))
        #expect(authenticator.problems.map(\.source) == [golf])
        #expect(throws: TokenProblem.self) { try authenticator.verify(Self.token(Self.other), at: .noon).get() }
        #expect(try authenticator.verify(Self.token(TestKeys.secret), at: .noon).get().user.app == Self.golf)
        // Another's key is no new key.
        try folder.file("golf", "a third secret, of thirty-two bytes or more")
        guard case .kept(let problem) = await authenticator.reloadIfChanged() else { throw NoProblem() }
        #expect(problem.description.contains("auth.apps.golf"))
        try folder.file("golf", TestKeys.secret)
        _ = await authenticator.reloadIfChanged()
        #expect(authenticator.problems.isEmpty)
    }

    private struct NoProblem: Error {}

    @Test func `is known again, and refused from the same moment on`() async throws {
        let authenticator = try await Authenticator([
            Self.app(.unnamed, TestKeys.secret), Self.app(Self.golf, Self.other),
        ])
        var known = KnownAuthorizations(maximumCount: 8, maximumBytes: 1 << 20)
        let value = "Bearer " + (try Self.token(Self.other))
        for _ in 1...2 {
            let found = try #require(authenticator.verify(authorization: value, knowing: &known, at: .noon))
            #expect(try found.get().user.app == Self.golf)
        }
        #expect(known.count == 1)
        let late = Timestamp.noon + .seconds(91)
        #expect(authenticator.verify(authorization: value, knowing: &known, at: late) == .failure(.expired))
    }

    @Test func `for development is another one in each app`() async throws {
        let folder = try TemporaryFolder()
        var settings = Settings()
        (settings.data, settings.isDevelopment) = (folder.path, true)
        settings.authByApp = [Self.golf: Settings.Auth(), Self.rooms: Settings.Auth()]
        let authenticator = try await Authenticator(settings)
        for app in [.unnamed, Self.golf, Self.rooms] {
            let user = try #require(UserID("sarah", in: app))
            let issuer = try TokenIssuer(developmentIn: settings, app: app)
            let token = try issuer.token(for: user, at: .noon, lifetime: .seconds(60))
            #expect(try authenticator.verify(token, at: .noon).get().user == user)
        }
    }

    @Test func `needs no key of the unnamed app where others have some`() async throws {
        var settings = Settings()
        settings.authByApp[Self.golf] = Settings.Auth()
        settings.authByApp[Self.golf]?.secret = Secret(Self.other)
        let authenticator = try await Authenticator(settings)
        #expect(try authenticator.verify(Self.token(Self.other), at: .noon).get().user.app == Self.golf)
        settings.authByApp[Self.golf]?.secret = nil
        await #expect { try await Authenticator(settings) } throws: { ($0 as? KeyProblem)?.source == "auth.apps.golf" }
    }
}
