import Inbox
import JSON
import Testing

@testable import Gateway

/// A connection that brings the same `Authorization` with each request.
@Suite final class `A known authorization` {
    private static let expiry = Timestamp.noon + .seconds(60)

    private let folder: TemporaryFolder
    private let file: String
    private let authenticator: Authenticator
    private let value: String

    init() async throws {
        folder = try TemporaryFolder()
        file = try folder.file("secret", TestKeys.secret)
        authenticator = try await Authenticator(
            source: KeySource(secretFile: file), rules: TokenRules(leeway: .seconds(10)))
        value = "Bearer \(try await TestIssuer.hs256(TestKeys.secret).token(.object(Self.claims("user-7"))))"
    }

    private static func claims(_ user: String) -> JSONObject { ["sub": .string(user), "exp": expiry.numericDate] }

    private func outcome(
        of value: String?, _ known: inout KnownAuthorization?, at now: Timestamp = .noon
    ) -> Result<String, TokenProblem>? {
        authenticator.verify(authorization: value, knowing: &known, at: now).map { $0.map(\.user.rawValue) }
    }

    @Test func `is believed again without a look at its signature`() throws {
        var known: KnownAuthorization?
        #expect(outcome(of: value, &known) == .success("user-7"))
        let first = try #require(known)
        #expect(outcome(of: value, &known) == .success("user-7"))
        #expect(known === first)
    }

    @Test func `is not asked for where there is none`() {
        var known: KnownAuthorization?
        #expect(outcome(of: nil, &known) == nil)
    }

    @Test func `ends with its token`() {
        var known: KnownAuthorization?
        #expect(outcome(of: value, &known) == .success("user-7"))
        #expect(outcome(of: value, &known, at: Self.expiry + .seconds(9)) == .success("user-7"))
        #expect(outcome(of: value, &known, at: Self.expiry + .seconds(10)) == .failure(.expired))
        #expect(known == nil)
    }

    @Test func `says nothing about another value, however alike`() async throws {
        var known: KnownAuthorization?
        #expect(outcome(of: value, &known) == .success("user-7"))
        let forged = String(value.dropLast(2)) + "AA"
        #expect(outcome(of: forged, &known) == .failure(.badSignature))
        let other = try await TestIssuer.hs256(TestKeys.secret).token(.object(Self.claims("user-8")))
        #expect(outcome(of: "Bearer \(other)", &known) == .success("user-8"))
        #expect(outcome(of: value, &known) == .success("user-7"))
    }

    @Test func `is verified again after keys were replaced`() async throws {
        var known: KnownAuthorization?
        #expect(outcome(of: value, &known) == .success("user-7"))
        _ = try folder.file("secret", "another secret that is long enough for a key")
        #expect(await authenticator.reloadIfChanged() == .replaced(notes: []))
        #expect(outcome(of: value, &known) == .failure(.badSignature))
    }

    @Test func `is verified again when the clock was set back`() throws {
        var known: KnownAuthorization?
        #expect(outcome(of: value, &known) == .success("user-7"))
        let first = try #require(known)
        #expect(
            outcome(of: value, &known, at: Timestamp(milliseconds: Timestamp.noon.milliseconds - 1))
                == .success("user-7"))
        #expect(known !== first)
    }

    @Test func `never shows in a log`() throws {
        var known: KnownAuthorization?
        _ = outcome(of: value, &known)
        let secret = try #require(known)
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains(value.dropFirst("Bearer ".count)), "\(text.prefix(20))")
        }
    }
}
