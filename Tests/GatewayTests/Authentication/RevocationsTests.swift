import Inbox
import JSON
import Store
import Testing

@testable import Gateway

/// Whose tokens no longer count.
@Suite struct RevocationsTests {
    private static let sarah = UserID(known: "sarah") ?? { preconditionFailure("a name") }()
    private static let tom = UserID(known: "tom") ?? { preconditionFailure("a name") }()

    /// Milliseconds between the call and the beginning of its second; seconds between that and `iat`.
    static let edges: [(call: Int64, issued: Int64, isRefused: Bool)] = [
        (0, -1, true), (0, 0, true), (0, 1, false), (1, 0, true), (1, 1, false), (999, -3_600, true), (999, 0, true),
        (999, 1, false), (999, 3_600, false),
    ]

    @Test(arguments: edges)
    func `a token of the call's second or an earlier one is refused, and one of the next second counts`(
        _ edge: (call: Int64, issued: Int64, isRefused: Bool)
    ) {
        var revocations = Revocations()
        let now = Timestamp.noon + .milliseconds(edge.call)
        let revocation = Revocations.all(of: Self.sarah, until: now)
        #expect(revocation.issuedBefore == .noon + .seconds(1))
        revocations.add(revocation)
        let issued = IssueTime(.noon + .seconds(edge.issued))
        #expect(revocations.refuse(issued, of: Self.sarah) == edge.isRefused)
        #expect(!revocations.refuse(issued, of: Self.tom))
    }

    @Test func `a token that does not tell when it was issued is refused`() {
        var revocations = Revocations()
        #expect(!revocations.refuse(.unknown, of: Self.sarah))
        revocations.add(Revocations.all(of: Self.sarah, until: Timestamp(milliseconds: 0)))
        #expect(revocations.refuse(.unknown, of: Self.sarah))
    }

    @Test func `the latest revocation counts, in whatever order they come`() {
        let calls = [Timestamp.noon, .noon + .seconds(60)].map { Revocations.all(of: Self.sarah, until: $0) }
        for order in [calls, calls.reversed()] {
            var revocations = Revocations()
            for revocation in order { revocations.add(revocation) }
            #expect(revocations.refuse(IssueTime(.noon + .seconds(60)), of: Self.sarah))
            #expect(!revocations.refuse(IssueTime(.noon + .seconds(61)), of: Self.sarah))
        }
    }

    @Test func `nothing is kept of an erased person`() {
        var revocations = Revocations()
        revocations.add(Revocations.all(of: Self.sarah, until: .noon))
        revocations.forget(Self.sarah)
        #expect(revocations.isEmpty)
        #expect(!revocations.refuse(IssueTime(.noon), of: Self.sarah))
    }

    @Test(arguments: [nil, Int64.min / 1_000, -1, 0]) func `a time before 1970 counts as none`(_ milliseconds: Int64?) {
        #expect(IssueTime(milliseconds.map(Timestamp.init(milliseconds:))) == .unknown)
    }

    @Test func `a time beyond four bytes is later than every call`() {
        let late = IssueTime(Timestamp(milliseconds: 253_402_300_799_000))
        #expect(!late.isBefore(.noon))
        #expect(MemoryLayout<IssueTime>.size == 4)
    }

    // MARK: Verifying

    private static func authorization(_ issued: JSONValue?, of user: String = "sarah") async throws -> String {
        var claims: JSONObject = ["sub": .string(user), "exp": (Timestamp.noon + .seconds(600)).numericDate]
        claims["iat"] = issued
        return try await "Bearer \(TestIssuer.hs256().token(.object(claims)))"
    }

    private static func authenticator() async throws -> Authenticator {
        try await Authenticator(source: KeySource(secret: Secret(TestKeys.secret)), rules: TokenRules())
    }

    @Test(arguments: [nil, Timestamp.noon.numericDate, "yesterday", .bool(true), .null] as [JSONValue?])
    func `a token is believed until it is revoked, however often it was believed before`(
        _ issued: JSONValue?
    ) async throws {
        let authenticator = try await Self.authenticator()
        let value = try await Self.authorization(issued)
        var known = KnownAuthorizations(maximumCount: 8, maximumBytes: 1 << 20)
        func outcome() -> Result<UserID, TokenProblem>? {
            authenticator.verify(authorization: value, knowing: &known, at: .noon).map { $0.map(\.user) }
        }
        #expect(outcome() == .success(Self.sarah))
        #expect(outcome() == .success(Self.sarah))
        let credentials = try #require(authenticator.verify(authorization: value, at: .noon)).get()
        #expect(!authenticator.revoked.contain(credentials))
        authenticator.revoked.add([Revocations.all(of: Self.sarah, until: .noon)])
        #expect(outcome() == .failure(.revoked))
        #expect(authenticator.verify(authorization: value, at: .noon)?.map(\.user) == .failure(.revoked))
        #expect(authenticator.revoked.contain(credentials))
        #expect(known.count == 0)
        authenticator.revoked.forget([Self.sarah])
        #expect(outcome() == .success(Self.sarah))
    }

    @Test func `a later token counts, and so does that of somebody else`() async throws {
        let authenticator = try await Self.authenticator()
        authenticator.revoked.add([Revocations.all(of: Self.sarah, until: .noon)])
        let next = try await Self.authorization((Timestamp.noon + .seconds(1)).numericDate)
        #expect(authenticator.verify(authorization: next, at: .noon)?.map(\.user) == .success(Self.sarah))
        let others = try await Self.authorization(Timestamp.noon.numericDate, of: "tom")
        #expect(authenticator.verify(authorization: others, at: .noon)?.map(\.user) == .success(Self.tom))
    }

    @Test func `a person of another app who has the same name keeps their tokens`() throws {
        let golf = try #require(AppName("golf"))
        var revocations = Revocations()
        revocations.add(Revocations.all(of: Self.sarah, until: .noon))
        #expect(!revocations.refuse(.unknown, of: try #require(UserID("sarah", in: golf))))
    }
}
