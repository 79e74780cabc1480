import Inbox
import Testing
import WireProtocol

@testable import Gateway

@Suite struct `Settings of apps` {
    private func read(_ yaml: String, _ environment: [String: String] = [:]) throws(InvalidSettings) -> Settings {
        var reader = SettingsReader()
        reader.read(yaml: yaml, file: "belfry.yaml")
        reader.read(environment: environment)
        return try reader.finish()
    }

    private func problems(_ yaml: String) -> [String] {
        do {
            _ = try read(yaml)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let golf = AppName("golf") ?? .unnamed

    @Test func `are those of auth for each app, and its own`() throws {
        let settings = try read(
            """
            auth:
              issuer: https://id.example.com
              apps:
                golf: {secret: \(Self.secret), audience: [a, b], pollWithoutToken: true}
                com.example.Rooms:
                  jwksFile: keys.json
                empty:
            """)
        #expect(settings.namedApps.map(\.text) == ["com.example.Rooms", "empty", "golf"])
        let golf = settings[auth: Self.golf]
        #expect((golf.audience, golf.pollWithoutToken, golf.issuer) == (["a", "b"], true, nil))
        #expect(golf.secret?.text == Self.secret)
        #expect(settings.auth.issuer == "https://id.example.com")
        #expect(!settings.redactedDescription.contains(Self.secret))
        #expect(settings.redactedDescription.contains("auth.apps.golf.audience: [a, b]"))
    }

    @Test func `have variables that a shell can set`() throws {
        let settings = try read("auth: {apps: {com.my-golf: }}", ["BELFRY_AUTH_APPS_COM_MY_GOLF_SECRET": Self.secret])
        #expect(settings[auth: AppName("com.my-golf")].secret?.text == Self.secret)
    }

    @Test func `may have their secrets in variables`() throws {
        let settings = try read("auth: {apps: {golf: }}", ["BELFRY_AUTH_APPS_GOLF_SECRET": Self.secret])
        #expect(settings[auth: Self.golf].secret?.text == Self.secret)
    }

    @Test(arguments: [
        (
            "auth:\n  apps:\n    golf:\n      secrt: x",
            #"belfry.yaml:4: auth.apps.golf.secrt: is not a setting; did you mean "secret"?"#
        ),
        ("auth:\n  apps: [golf]", "belfry.yaml:2: auth.apps: expected names, each with a group of settings"),
        ("auth:\n  apps:\n    golf: 1", "belfry.yaml:3: auth.apps.golf: expected a group of settings"),
        ("auth:\n  apps:\n    go/lf: {}", "belfry.yaml:3: auth.apps: expected \(AppName.expectation)"),
        (
            "auth:\n  apps:\n    golf:\n      secret: short",
            "belfry.yaml:4: auth.apps.golf.secret: expected a text of 32 bytes or more"
        ),
        (
            "auth:\n  apps:\n    golf: {secret: \(secret)}\n    rooms: {secret: \(secret)}",
            "belfry.yaml:4: auth.apps.rooms.secret: is that of auth.apps.golf, and there is no other audience or issuer: "
                + "tokens would fit both"
        ),
        (
            "auth:\n  apps:\n    a-b:\n    a_b:",
            "belfry.yaml:4: auth.apps.a_b: has the same variables as a-b; expected another name"
        ),
    ])
    func `that are mistaken are told with their place`(_ yaml: String, _ told: String) {
        #expect(problems(yaml) == [told])
    }

    // MARK: Which app is meant

    private func apps(_ yaml: String) throws -> ServedApps { ServedApps(try read(yaml)) }
    private func meant(_ query: String, _ apps: ServedApps) throws -> String {
        try apps.meant(by: Self.query(query)).text
    }

    /// - Parameter text: one parameter, or none.
    private static func query(_ text: String) -> HTTPQuery {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        return HTTPQuery(parts.count == 2 ? [.init(name: parts[0], value: parts[1])] : [])
    }

    @Test func `without names mean the only app, and name none`() throws {
        let apps = try apps("")
        #expect(try meant("", apps) == "" && meant("app=", apps) == "")
        #expect { try meant("app=golf", apps) } throws: { ($0 as? Problem)?.code == "invalid_parameter" }
    }

    @Test func `with one name mean that app, whether a call names it or not`() throws {
        let apps = try apps("auth: {apps: {golf: }}")
        #expect(try meant("", apps) == "golf" && meant("app=golf", apps) == "golf")
    }

    @Test(arguments: ["auth: {apps: {golf: , rooms: }}", "auth: {secretFile: s, apps: {golf: }}"])
    func `of several apps need a name in each call`(_ yaml: String) throws {
        let apps = try apps(yaml)
        #expect(try meant("app=golf", apps) == "golf")
        #expect { try meant("", apps) } throws: { error in
            let problem = error as? Problem
            return problem?.code == "missing_app" && problem?.detail.contains("\"golf\"") == true
        }
        #expect { try meant("app=glof", apps) } throws: { ($0 as? Problem)?.detail.contains("\"golf\"") == true }
    }

    // MARK: Callers without a token

    @Test(
        arguments: [
            ("auth: {pollWithoutToken: true}", "", ""), ("auth: {pollWithoutToken: true}", "app=golf", ""),
            ("", "", nil),
            ("auth: {apps: {golf: {pollWithoutToken: true}, rooms: }}", "", "golf"),
            ("auth: {apps: {golf: {pollWithoutToken: true}, rooms: }}", "app=rooms", nil),
            ("auth: {apps: {golf: {pollWithoutToken: true}, rooms: {pollWithoutToken: true}}}", "", nil),
            ("auth: {apps: {golf: {pollWithoutToken: true}, rooms: {pollWithoutToken: true}}}", "app=rooms", "rooms"),
            ("auth: {pollWithoutToken: true, apps: {golf: {pollWithoutToken: true}}}", "", ""),
            ("auth: {pollWithoutToken: true, apps: {golf: {pollWithoutToken: true}}}", "app=ios", ""),
            ("auth: {pollWithoutToken: true, apps: {golf: {pollWithoutToken: true}}}", "app=golf", "golf"),
        ] as [(String, String, String?)])
    func `let callers without a token into the app that allows it`(_ yaml: String, _ query: String, _ app: String?)
        throws
    {
        #expect(try read(yaml).app(ofGuest: Self.query(query), where: \.pollWithoutToken)?.text == app)
    }
}
