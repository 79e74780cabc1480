import Inbox
import Testing

@testable import Gateway

@Suite struct `The settings of providers` {
    private static func problems(_ yaml: String) -> [String] {
        var reader = SettingsReader()
        reader.read(yaml: yaml, file: "a.yaml")
        do {
            _ = try reader.finish()
            return []
        } catch {
            return error.problems.map(\.key)
        }
    }

    private static let good = "{issuer: 'https://id.example/', audience: a}"

    @Test func `are read from the file and from variables`() throws {
        var reader = SettingsReader()
        reader.read(
            yaml: """
                auth:
                  apps: {golf: }
                  providers:
                    work:
                      issuer: https://id.example/
                      app: golf
                      audience: [a, b]
                      audienceClaim: client_id
                      algorithms: ES256
                      userClaim: email
                      maximumAge: 5m
                """, file: "a.yaml")
        reader.read(environment: ["BELFRY_AUTH_PROVIDERS_WORK_MINIMUM_AGE": "2s"])
        let settings = try reader.finish()
        let provider = try #require(try settings.makeProviders().first)
        #expect(provider.name == "work")
        #expect(provider.rules.issuer == "https://id.example/")
        #expect(provider.rules.app.text == "golf")
        #expect(provider.rules.audience == ["a", "b"])
        #expect(provider.rules.audienceClaim == "client_id")
        #expect(provider.rules.algorithms == [.es256])
        #expect(provider.rules.userClaim == "email")
        #expect(settings[provider: "work"].minimumAge == .seconds(2))
        #expect(settings[provider: "work"].maximumAge == .seconds(300))
    }

    @Test func `leave an app without files no keys of its own, and nobody without an app`() async throws {
        var reader = SettingsReader()
        reader.read(yaml: "auth: {apps: {golf: }, providers: {a: \(Self.good.dropLast()), app: golf}}}", file: "a.yaml")
        let settings = try reader.finish()
        #expect(!settings.hasUnnamedTokens)
        let authenticator = try await Authenticator(settings)
        #expect(authenticator.providers.map(\.name) == ["a"])
    }

    @Test(
        arguments: [
            (good, []), ("{audience: a}", ["issuer"]), ("{issuer: 'https://id.example/'}", ["audience"]),
            ("{issuer: 'http://id.example/', audience: a}", ["issuer"]),
            ("{issuer: 'https://id.example/?a', audience: a}", ["issuer"]),
            ("{issuer: 'https://id.example/', audience: a, algorithms: [RS256, HS256]}", ["algorithms"]),
            ("{issuer: 'https://id.example/', audience: a, algorithms: []}", ["algorithms"]),
            ("{issuer: 'https://id.example/', audience: a, keysURL: 'http://localhost/'}", ["keysURL"]),
            ("{issuer: 'https://id.example/', audience: a, app: golf}", ["app"]),
            ("{issuer: 'https://id.example/', audience: a, minimumAge: 2h}", ["minimumAge"]),
            ("{issuer: 'https://id.example/', audience: a, maximumAge: 0s}", ["maximumAge"]),
            ("{issuer: 'https://id.example/', audience: a, url: b}", ["url"]),
        ])
    func `have to go together`(_ provider: String, _ keys: [String]) {
        #expect(Self.problems("auth: {providers: {a: \(provider)}}") == keys.map { "auth.providers.a.\($0)" })
    }

    @Test(arguments: [("audience: a", ["auth.providers.b.audience"]), ("audience: b", [])])
    func `of one issuer have to name different audiences`(_ audience: String, _ keys: [String]) {
        let other = "{issuer: 'https://id.example/', \(audience)}"
        #expect(Self.problems("auth: {providers: {a: \(Self.good), b: \(other)}}") == keys)
    }
}
