import Inbox
import JSON
import Support
import Testing

@testable import Gateway

/// Clients that bring the same `Authorization` with each request.
@Suite final class `A known authorization` {
    private static let expiry = Timestamp.noon + .seconds(60)
    private static let secrets = [TestKeys.secret, "another secret that is long enough for a key"]

    private let folder: TemporaryFolder
    private let authenticator: Authenticator
    private let value: String
    private var known = KnownAuthorizations(maximumCount: 100, maximumBytes: 1 << 20)

    init() async throws {
        folder = try TemporaryFolder()
        let file = try folder.file("secret", TestKeys.secret)
        authenticator = try await Authenticator(
            source: KeySource(secretFile: file), rules: TokenRules(leeway: .seconds(10)))
        value = try await Self.authorization(Self.claims("user-7"))
    }

    private static func claims(_ user: String, notBefore: Timestamp? = nil) -> JSONObject {
        var claims: JSONObject = ["sub": .string(user), "exp": expiry.numericDate]
        claims["nbf"] = notBefore?.numericDate
        return claims
    }

    private static func authorization(
        _ claims: JSONObject, _ secret: String = TestKeys.secret
    ) async throws -> String {
        "Bearer \(try await TestIssuer.hs256(secret).token(.object(claims)))"
    }

    private func outcome(of value: String?, at now: Timestamp = .noon) -> Result<String, TokenProblem>? {
        authenticator.verify(authorization: value, knowing: &known, at: now).map { $0.map(\.user.name) }
    }

    private func entry(_ value: String, generation: Int = 0) -> KnownAuthorization? {
        known.find(value, generation: generation)
    }

    @Test func `is believed again without a look at its signature`() throws {
        #expect(outcome(of: value) == .success("user-7"))
        let first = try #require(entry(value))
        #expect(outcome(of: value) == .success("user-7"))
        #expect(entry(value) === first)
    }

    @Test func `is not asked for where there is none`() {
        #expect(outcome(of: nil) == nil)
        #expect(known.count == 0)
    }

    @Test func `ends with its token`() {
        #expect(outcome(of: value) == .success("user-7"))
        #expect(outcome(of: value, at: Self.expiry + .seconds(9)) == .success("user-7"))
        #expect(outcome(of: value, at: Self.expiry + .seconds(10)) == .failure(.expired))
        #expect(known.count == 0)
    }

    @Test func `says nothing about another value, however alike`() async throws {
        #expect(outcome(of: value) == .success("user-7"))
        let forged = String(value.dropLast(2)) + "AA"
        let longer = value + "A"
        let shorter = String(value.dropLast())
        for wrong in [forged, longer, shorter] { #expect(outcome(of: wrong) != .success("user-7")) }
        #expect(outcome(of: forged) == .failure(.badSignature))
        #expect(outcome(of: try await Self.authorization(Self.claims("user-8"))) == .success("user-8"))
        #expect(outcome(of: value) == .success("user-7"))
    }

    @Test func `is remembered in its usual spelling only`() async throws {
        let token = value.dropFirst("Bearer ".count)
        for spelling in ["Bearer  \(token)", "Bearer   \(token)", "bearer \(token)", "Bearer\t\(token)"] {
            #expect(outcome(of: spelling) == .success("user-7"))
            #expect(known.count == 0)
        }
        #expect(outcome(of: value) == .success("user-7"))
        #expect(known.count == 1)
    }

    @Test func `is verified again after keys were replaced`() async throws {
        #expect(outcome(of: value) == .success("user-7"))
        try folder.file("secret", Self.secrets[1])
        #expect(await authenticator.reloadIfChanged() == .replaced(notes: []))
        #expect(outcome(of: value) == .failure(.badSignature))
        #expect(outcome(of: try await Self.authorization(Self.claims("ann"), Self.secrets[1])) == .success("ann"))
        #expect(known.count == 1)
    }

    @Test func `stays where new keys are not usable`() async throws {
        #expect(outcome(of: value) == .success("user-7"))
        let first = try #require(entry(value))
        try folder.file("secret", "short")
        guard case .kept = await authenticator.reloadIfChanged() else {
            Issue.record("a secret that is too short was taken")
            return
        }
        #expect(outcome(of: value) == .success("user-7"))
        #expect(entry(value) === first)
    }

    @Test func `is verified again when the clock was set back`() async throws {
        let value = try await Self.authorization(Self.claims("user-7", notBefore: .noon))
        #expect(outcome(of: value) == .success("user-7"))
        let first = try #require(entry(value))
        #expect(outcome(of: value, at: .noon - .seconds(10)) == .success("user-7"))
        #expect(entry(value) !== first)
        #expect(outcome(of: value, at: .noon - .seconds(11)) == .failure(.notYetValid))
        #expect(outcome(of: value) == .success("user-7"))
    }

    /// Keys change back and forth, clocks too, some tokens are broken, and there is room for a few of them only.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `is judged as if nothing were known, whatever happens`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        known = KnownAuthorizations(maximumCount: 8, maximumBytes: 1 << 20)
        var values: [String] = ["", "Bearer", "Basic dTpw", "Bearer a.b.c"]
        for number in 0..<10 {
            let start = number % 3 == 0 ? Timestamp.noon + .seconds(number) : nil
            for secret in Self.secrets {
                values.append(try await Self.authorization(Self.claims("user-\(number)", notBefore: start), secret))
            }
        }
        values += values.suffix(5).map { String($0.dropLast(2)) + "AA" }
        var successes = 0
        for _ in 0..<600 {
            if random.next(below: 60) == 0 {
                try folder.file("secret", Self.secrets[random.next(below: 2)])
                _ = await authenticator.reloadIfChanged()
            }
            let value = values[random.next(below: values.count)]
            let now = Timestamp.noon + .seconds(random.next(below: 100) - 20)
            let plain = authenticator.verify(authorization: value, at: now)
            #expect(authenticator.verify(authorization: value, knowing: &known, at: now) == plain)
            if case .success = plain { successes += 1 }
            #expect(known.count <= 8)
        }
        #expect(successes > 50)
    }

    @Test func `never shows in a log`() throws {
        #expect(outcome(of: value) == .success("user-7"))
        let secret = try #require(entry(value))
        var dumped = ""
        dump(secret, to: &dumped)
        dump(known, to: &dumped)
        for text in ["\(secret) \(known)", String(reflecting: secret), String(reflecting: known), dumped] {
            #expect(!text.contains(value.dropFirst("Bearer ".count)), "\(text.prefix(20))")
        }
    }
}
