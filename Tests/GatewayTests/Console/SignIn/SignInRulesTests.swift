import Inbox
import JSON
import Testing

@testable import Gateway

@Suite struct `An ID token` {
    private static func rules(
        _ claim: String = "email", _ values: [String] = ["ana@example.com"], name: String = "email"
    ) -> SignInRules {
        SignInRules(
            clientID: "belfry", allowClaim: claim, allowValues: values, nameClaim: name, leeway: .seconds(30))
    }

    private static func outcome(
        _ rules: SignInRules = rules(), _ others: JSONObject = [:], at now: Timestamp = .noon
    ) -> String {
        var claims: JSONObject = [
            "sub": "1234", "aud": "belfry", "nonce": "n", "iat": Timestamp.noon.numericDate,
            "email": "ana@example.com", "email_verified": true,
        ]
        for name in others.keys { claims[name] = others[name] == .null ? nil : others[name] }
        do throws(SignInProblem) {
            return try rules.name(of: claims, nonce: "n", at: now)
        } catch {
            return error.query
        }
    }

    @Test func `of somebody on the list gives their name`() {
        #expect(Self.outcome() == "ana@example.com")
    }

    @Test(
        arguments: [
            (["nonce": "m"], "token_refused&code=wrong_nonce"), (["nonce": .null], "token_refused&code=wrong_nonce"),
            (["nonce": 7], "token_refused&code=wrong_nonce"),
            (["azp": "other"], "token_refused&code=wrong_party"), (["azp": 7], "token_refused&code=wrong_party"),
            (["aud": ["belfry", "other"]], "token_refused&code=wrong_party"),
            (["aud": ["belfry", "other"], "azp": "other"], "token_refused&code=wrong_party"),
            (["iat": .null], "token_refused&code=missing_iat"), (["iat": "now"], "token_refused&code=missing_iat"),
            (["email": "eve@example.com"], "not_allowed"), (["email": .null], "not_allowed"),
            (["email": 7], "not_allowed"), (["email": ["a": "ana@example.com"]], "not_allowed"),
            (["email_verified": false], "email_not_verified"), (["email_verified": .null], "email_not_verified"),
            (["email_verified": 1], "email_not_verified"),
        ] as [(JSONObject, String)])
    func `is refused`(_ claims: JSONObject, _ reason: String) {
        #expect(Self.outcome(Self.rules(), claims) == "refused=\(reason)")
    }

    @Test(
        arguments: [
            ["azp": "belfry"], ["aud": ["belfry"]], ["aud": ["belfry", "other"], "azp": "belfry"],
            ["email_verified": "true"], ["email": "Ana@Example.COM"],
        ] as [JSONObject])
    func `is taken in each form that the specification allows`(_ claims: JSONObject) {
        #expect(Self.outcome(Self.rules(), claims).lowercased() == "ana@example.com")
    }

    @Test(
        arguments: [
            (-30, "ana@example.com"), (-31, "refused=token_refused&code=token_not_yet_valid"),
            (630, "ana@example.com"), (631, "refused=token_refused&code=token_too_old"),
        ])
    func `is of this login's time, but for the difference of the clocks`(_ seconds: Int, _ outcome: String) {
        #expect(Self.outcome(at: .noon + .seconds(seconds)) == outcome)
    }

    @Test(
        arguments: [
            (["groups": ["staff", "operators"]], true), (["groups": "operators"], true),
            (["groups": ["Operators"]], false),
            (["groups": []], false), (["groups": .null], false), (["groups": ["operators "]], false),
        ] as [(JSONObject, Bool)])
    func `lets a group in, by its exact name`(_ claims: JSONObject, _ isAllowed: Bool) {
        let outcome = Self.outcome(Self.rules("groups", ["operators", "admins"]), claims)
        #expect(outcome == (isAllowed ? "ana@example.com" : "refused=not_allowed"))
    }

    @Test func `may have its claims in a group of claims, or by a name with dots`() {
        let nested: JSONObject = ["realm_access": ["roles": ["console"]]]
        #expect(Self.outcome(Self.rules("realm_access.roles", ["console"]), nested) == "ana@example.com")
        let dotted: JSONObject = ["https://example.com/roles": ["console"]]
        #expect(Self.outcome(Self.rules("https://example.com/roles", ["console"]), dotted) == "ana@example.com")
    }

    @Test func `gives its subject as the name where there is no other, or none that is the person's for sure`() {
        let rules = Self.rules("sub", ["1234"])
        #expect(Self.outcome(rules) == "ana@example.com")
        #expect(Self.outcome(rules, ["email_verified": false]) == "1234")
        #expect(Self.outcome(rules, ["email": .null]) == "1234")
        #expect(Self.outcome(rules, ["email": "a\u{1B}[2J"]) == "1234")
        #expect(Self.outcome(Self.rules("sub", ["1234"], name: "name"), ["name": "Ana"]) == "Ana")
    }

    @Test func `needs a name for the audit log`() {
        let long = JSONValue.string(String(repeating: "a", count: 101))
        let rules = Self.rules("groups", ["operators"], name: "name")
        #expect(Self.outcome(rules, ["groups": "operators", "sub": long]) == "refused=no_name")
    }
}
