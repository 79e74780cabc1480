import Gateway
import Inbox
import JSON
import Testing

@Suite struct `Claims are judged` {
    struct Case: Sendable, CustomTestStringConvertible {
        let claims: JSONObject
        var rules = TokenRules(requireExpiry: false)
        let expected: Result<String, TokenProblem>
        var testDescription: String { "\(String(decoding: JSONValue.object(claims).encoded, as: UTF8.self))" }
    }

    static func seconds(_ offset: Int64) -> JSONValue { .int(Timestamp.noon.milliseconds / 1_000 + offset) }

    static func number(_ text: String) -> JSONValue { JSONNumber(text)?.value ?? .null }

    static let times: [Case] = [
        Case(claims: ["sub": "a", "exp": seconds(1)], expected: .success("a")),
        Case(claims: ["sub": "a", "exp": seconds(-29)], expected: .success("a")),
        Case(claims: ["sub": "a", "exp": seconds(-30)], expected: .failure(.expired)),
        Case(claims: ["sub": "a", "exp": .double(1_799_999_970.5)], expected: .success("a")),
        Case(claims: ["sub": "a", "exp": .int(.max)], expected: .success("a")),
        Case(claims: ["sub": "a", "exp": .int(.min)], expected: .failure(.expired)),
        Case(claims: ["sub": "a", "exp": .double(1e300)], expected: .success("a")),
        Case(claims: ["sub": "a", "exp": "1800000060"], expected: .failure(.malformed)),
        Case(claims: ["sub": "a", "nbf": seconds(30)], expected: .success("a")),
        Case(claims: ["sub": "a", "nbf": seconds(31)], expected: .failure(.notYetValid)),
        Case(claims: ["sub": "a", "nbf": true], expected: .failure(.malformed)),
        Case(claims: ["sub": "a"], rules: TokenRules(), expected: .failure(.missingExpiry)),
        Case(claims: ["sub": "a", "exp": nil], rules: TokenRules(), expected: .failure(.missingExpiry)),
        Case(claims: ["sub": "a"], expected: .success("a")),
    ]

    static let parties: [Case] = [
        Case(claims: ["sub": "a", "aud": "x"], expected: .success("a")),
        Case(claims: ["sub": "a", "aud": "x"], rules: rules(audience: ["y", "x"]), expected: .success("a")),
        Case(claims: ["sub": "a", "aud": ["z", "x"]], rules: rules(audience: ["x"]), expected: .success("a")),
        Case(
            claims: ["sub": "a", "aud": ["z", 1]], rules: rules(audience: ["x"]), expected: .failure(.wrongAudience)),
        Case(claims: ["sub": "a", "aud": "xx"], rules: rules(audience: ["x"]), expected: .failure(.wrongAudience)),
        Case(claims: ["sub": "a"], rules: rules(audience: ["x"]), expected: .failure(.wrongAudience)),
        Case(claims: ["sub": "a", "iss": "i"], rules: rules(issuer: "i"), expected: .success("a")),
        Case(claims: ["sub": "a", "iss": ["i"]], rules: rules(issuer: "i"), expected: .failure(.wrongIssuer)),
        Case(claims: ["sub": "a"], rules: rules(issuer: "i"), expected: .failure(.wrongIssuer)),
    ]

    static let users: [Case] = [
        Case(claims: ["sub": 42], expected: .success("42")),
        Case(claims: ["sub": number("18446744073709551001")], expected: .success("18446744073709551001")),
        Case(claims: ["sub": number("18446744073709551002")], expected: .success("18446744073709551002")),
        Case(claims: ["sub": number("7.0")], expected: .failure(.missingUser)),
        Case(claims: ["sub": ""], expected: .failure(.missingUser)),
        Case(claims: ["sub": nil], expected: .failure(.missingUser)),
        Case(claims: ["sub": .double(1.5)], expected: .failure(.missingUser)),
        Case(claims: ["sub": .string(String(repeating: "a", count: 201))], expected: .failure(.missingUser)),
        Case(claims: ["sub": "a\nb"], expected: .failure(.invalidUser)),
        Case(claims: ["sub": "\u{9B}2J"], expected: .failure(.invalidUser)),
        Case(claims: ["uid": "b", "sub": "a"], rules: rules(user: "uid"), expected: .success("b")),
        Case(claims: ["app": ["user": ["id": 7]]], rules: rules(user: "app.user.id"), expected: .success("7")),
        Case(claims: ["app": "x"], rules: rules(user: "app.user.id"), expected: .failure(.missingUser)),
        Case(
            claims: ["https://example.com/uid": "c"], rules: rules(user: "https://example.com/uid"),
            expected: .success("c")),
    ]

    static func rules(audience: [String] = [], issuer: String? = nil, user: String = "sub") -> TokenRules {
        TokenRules(userClaim: user, audience: audience, issuer: issuer, requireExpiry: false)
    }

    @Test(arguments: times + parties + users)
    func `by the rules of the configuration`(_ example: Case) async throws {
        let source = KeySource(secret: Secret(TestKeys.secret))
        let authenticator = try await Authenticator(source: source, rules: example.rules)
        let token = try await TestIssuer.hs256().token(.object(example.claims))
        let outcome = authenticator.verify(try #require(BearerToken(token)), at: .noon)
        #expect(outcome.map(\.user.name) == example.expected)
    }
}
