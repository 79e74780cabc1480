import Testing

@testable import Gateway

@Suite struct `The settings of the console's provider` {
    private static let good: [String: String] = [
        "issuer": "https://id.example/", "clientID": "belfry",
        "redirectURI": "https://console.example/console/oidc/callback", "allow": "{values: [ana@example.com]}",
    ]

    private static func read(_ settings: [String: String]) -> (Settings?, [SettingsProblem]) {
        var reader = SettingsReader()
        let lines = settings.sorted { $0.key < $1.key }.map { "    \($0.key): \($0.value)\n" }.joined()
        reader.read(yaml: "console:\n  oidc:\n\(lines)", file: "a.yaml")
        do {
            return (try reader.finish(), [])
        } catch {
            return (nil, error.problems)
        }
    }

    @Test func `are read, with usual scopes and claims`() throws {
        let oidc = try #require(Self.read(Self.good).0).console.oidc
        #expect(oidc.isOn)
        #expect(oidc.scopes == ["openid", "profile", "email"])
        #expect((oidc.allowClaim, oidc.allowValues, oidc.nameClaim) == ("email", ["ana@example.com"], "email"))
    }

    @Test func `are off by default`() { #expect(!Settings().console.oidc.isOn) }

    @Test(
        arguments: [
            (["issuer": "~"], ["issuer"]), (["clientID": "~"], ["clientID"]), (["redirectURI": "~"], ["redirectURI"]),
            (["allow": "~"], ["allow.values"]), (["allow": "{values: []}"], ["allow.values"]),
            (["allow": "{claim: groups}"], ["allow.values"]), (["allow": "{values: ['']}"], ["allow.values"]),
            (["allow": "{claim: '', values: a}"], ["allow.claim"]),
            (["issuer": "http://id.example/"], ["issuer"]), (["issuer": "https://id.example/?a"], ["issuer"]),
            (["scopes": "[profile, email]"], ["scopes"]), (["scopes": "openid profile"], []),
            (["redirectURI": "http://console.example/console/oidc/callback"], ["redirectURI"]),
            (["redirectURI": "https://console.example/console"], ["redirectURI"]),
            (["redirectURI": "https://console.example/belfry/console/oidc/callback"], ["redirectURI"]),
            (["redirectURI": "https://console.example/console/oidc/callback?a=b"], ["redirectURI"]),
            (["redirectURI": "/console/oidc/callback"], ["redirectURI"]),
            (["redirectURI": "http://localhost:9090/console/oidc/callback"], []),
            (["redirectURI": "'http://[::1]:9090/console/oidc/callback'"], []),
            (["secret": "a"], ["secret"]),
        ])
    func `have to go together`(_ change: [String: String], _ keys: [String]) {
        let problems = Self.read(Self.good.merging(change) { $1 }).1
        #expect(problems.map(\.key) == keys.map { "console.oidc.\($0)" })
    }

    @Test func `without a list let nobody in, and say so`() throws {
        let problem = try #require(Self.read(Self.good.merging(["allow": "~"]) { $1 }).1.first)
        #expect(problem.reason.contains("everybody whom the issuer knows"))
    }

    @Test func `can all be given by variables`() throws {
        var reader = SettingsReader()
        let path = "BELFRY_CONSOLE_OIDC_"
        reader.read(environment: [
            path + "ISSUER": "https://id.example/", path + "CLIENT_ID": "belfry", path + "ALLOW_CLAIM": "groups",
            path + "ALLOW_VALUES": "operators, admins",
            path + "REDIRECT_URI": "https://console.example/console/oidc/callback",
        ])
        let settings = try reader.finish()
        #expect(settings.console.oidc.allowValues == ["operators", "admins"])
    }

    @Test func `close the console to whoever has not logged in, even in part`() throws {
        var settings = Settings.Console()
        #expect(!ConsoleAccess(settings).needsLogin)
        settings.oidc.clientID = "belfry"
        #expect(ConsoleAccess(settings).needsLogin)
        #expect(!ConsoleAccess(settings).takesPassword)
        #expect(!ConsoleAccess(settings).isPassword(""))
    }
}
