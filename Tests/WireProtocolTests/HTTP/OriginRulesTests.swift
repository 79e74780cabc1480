import Testing

@testable import WireProtocol

struct OriginRulesTests {
    @Test(arguments: [
        ("https://app.example.com", "https://app.example.com", true),
        ("https://app.example.com", "https://APP.Example.com", true),
        ("HTTPS://APP.example.com", "https://app.example.com", true),
        ("https://app.example.com", "https://app.example.com:443", true),
        ("https://app.example.com:443", "https://app.example.com", true),
        ("http://localhost:3000", "http://localhost:3000", true),
        ("https://app.example.com", "http://app.example.com", false),
        ("https://app.example.com", "https://app.example.com:8443", false),
        ("https://app.example.com", "https://app.example.com.evil.org", false),
        ("https://app.example.com", "https://evilapp.example.com", false),
        ("https://app.example.com", "https://app.example.com@evil.org", false),
        ("https://app.example.com", "https://evil.org/https://app.example.com", false),
        ("https://app.example.com", "https://app.example.com/", false),
        ("https://kit.example.com", "https://\u{212A}it.example.com", false),
        ("https://app.example.com", "null", false),
        ("https://app.example.com", "", false),
        ("https://*.example.com", "https://a.example.com", true),
        ("https://*.example.com", "https://a.b.example.com", true),
        ("https://*.example.com", "https://A.EXAMPLE.COM:443", true),
        ("https://*.example.com", "https://example.com", false),
        ("https://*.example.com", "https://.example.com", false),
        ("https://*.example.com", "https://badexample.com", false),
        ("https://*.example.com", "http://a.example.com", false),
        ("https://*.example.com:8443", "https://a.example.com:8443", true),
        ("null", "null", true),
        ("null", "https://null", false),
        ("http://[::1]:3000", "http://[::1]:3000", true),
        ("capacitor://localhost", "capacitor://localhost", true),
    ])
    func `an origin is allowed when a rule names it`(_ rule: String, origin: String, isAllowed: Bool) throws {
        #expect(try OriginRules([rule]).allow(["Origin": origin]) == isAllowed)
    }

    @Test func `without rules all are allowed`() {
        #expect(OriginRules.all.allow(["Origin": "https://anywhere"]) && OriginRules.all.allow(["Origin": "null"]))
    }

    @Test func `a request from no browser passes`() throws {
        #expect(try OriginRules(["https://app.example.com"]).allow([:]))
    }

    @Test func `any rule of several is enough, and two origins are none`() throws {
        let rules = try OriginRules(["https://a.example", "https://b.example"])
        #expect(rules.allow(["Origin": "https://b.example"]))
        #expect(!rules.allow(["Origin": "https://a.example", "origin": "https://b.example"]))
    }

    @Test(arguments: [
        "", "*", "app.example.com", "https://", "https://*", "https://*.", "https://a.example/path", "https://a b",
        "https://user@a.example", "https://a.*.example", "https://a.example:port", "://a",
    ])
    func `a text that is no origin is refused, with the expected form`(_ entry: String) {
        let failure = #expect(throws: OriginRules.Malformed.self) { try OriginRules([entry]) }
        #expect(failure?.entry == entry && failure?.description.contains("https://app.example.com") == true)
    }
}
