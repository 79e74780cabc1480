import Inbox
import Store
import Testing

@testable import Gateway

struct WebhookSettingsTests {
    @Test func `endpoints hear of what their settings say`() throws {
        let settings = try read(
            """
            auth:
              apps:
                golf:
                  secret: 0123456789abcdef0123456789abcdef
            webhooks:
              keep: 30d
              endpoints:
                all:
                  url: http://127.0.0.1:9/hooks
                  secretFile: a
                golf:
                  url: https://golf.example.com/hooks?x=1
                  secretFile: b
                  app: golf
                  events: [notification.read, push.verdict]
            """)
        #expect(settings.webhooks.keep == .seconds(30 * 86_400))
        let rule = try #require(settings.webhookRule)
        let golf = try #require(AppName("golf"))
        #expect(rule.endpoints(for: .read, in: golf) == ["all", "golf"])
        #expect(rule.endpoints(for: .read, in: .unnamed) == ["all"])
        #expect(rule.endpoints(for: .seen, in: golf) == ["all"])
        #expect(rule.wants(.gone))
        #expect(rule.makeID(.init(milliseconds: 5)) < rule.makeID(.init(milliseconds: 6)))
        #expect(Settings().webhookRule == nil)
    }

    @Test(arguments: [
        ("secretFile: a", "webhooks.endpoints.backend.url"),
        ("url: https://a.example", "webhooks.endpoints.backend.secretFile"),
        ("url: ftp://a.example\n      secretFile: a", "webhooks.endpoints.backend.url"),
        ("url: http://a.example/hooks\n      secretFile: a", "webhooks.endpoints.backend.url"),
        ("url: http://127.0.0.1.example.com\n      secretFile: a", "webhooks.endpoints.backend.url"),
        ("url: https://u:p@a.example\n      secretFile: a", "webhooks.endpoints.backend.url"),
        ("url: https://a.example\n      secretFile: a\n      app: golf", "webhooks.endpoints.backend.app"),
        ("url: https://a.example\n      secretFile: a\n      events: [read]", "webhooks.endpoints.backend.events[0]"),
    ])
    func `a mistake is named at its setting`(_ endpoint: String, _ key: String) {
        var reader = SettingsReader()
        reader.read(yaml: "webhooks:\n  endpoints:\n    backend:\n      \(endpoint)", file: "belfry.yaml")
        #expect(throws: (any Error).self) { try reader.finish() }
        #expect(reader.problems.map(\.key).contains(key))
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/a", "http://[::1]:8080/a", "http://localhost/a", "https://a.example",
    ])
    func `an address of this machine needs no encryption`(_ url: String) {
        #expect(WebhookEndpoint.isURL(url))
        #expect(WebhookEndpoint.isPrivate(url))
    }

    private func read(_ yaml: String) throws -> Settings {
        var reader = SettingsReader()
        reader.read(yaml: yaml, file: "belfry.yaml")
        return try reader.finish()
    }
}
