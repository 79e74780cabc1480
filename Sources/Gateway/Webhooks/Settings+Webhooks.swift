import Inbox
package import Store

extension Settings {
    /// Where an app's backend hears by webhooks what became of its notifications.
    package struct Webhooks: Sendable, Equatable {
        /// An address that hears of some of it.
        package struct Endpoint: Sendable, Equatable {
            package var url: String?
            /// A file with secrets, one a line: each signs, so that a new one can be brought in beside the old one.
            package var secretFile: String?
            /// What it hears of; empty for all.
            package var events: [WebhookKind] = []
            /// Nil for all apps.
            package var app: String?
            /// Whether the address may be without encryption on another machine.
            package var allowHTTP = false

            package init() {}
        }

        /// By name. Stored webhooks have the name, so it stays when the address changes.
        package var endpoints: [String: Endpoint] = [:]
        /// How long a webhook is kept after it was made, dead letters included.
        package var keep = Duration.seconds(14 * 86_400)

        package init() {}
    }

    package subscript(webhook name: String) -> Webhooks.Endpoint {
        get { webhooks.endpoints[name] ?? Webhooks.Endpoint() }
        set { webhooks.endpoints[name] = newValue }
    }

    /// Where endpoints' settings are: `webhooks.endpoints.backend.url`.
    static let webhooksPath = "webhooks.endpoints"

    static let webhookFields: [SettingField] = [.span("webhooks.keep", \.webhooks.keep)]

    static func webhookFields(of name: String) -> [SettingField] {
        let path = "\(webhooksPath).\(name)"
        return [
            .optional(
                "\(path).url", \.[webhook: name].url, expecting: WebhookEndpoint.urlExpectation,
                where: { WebhookEndpoint.isURL($0) }),
            .optional("\(path).secretFile", \.[webhook: name].secretFile, expecting: "a path"),
            .list("\(path).events", \.[webhook: name].events),
            .optional("\(path).app", \.[webhook: name].app, expecting: "an app's name"),
            .one("\(path).allowHTTP", \.[webhook: name].allowHTTP),
        ]
    }

    /// Who hears of what; nil if nobody does.
    var webhookRule: WebhookRule? {
        if webhooks.endpoints.isEmpty { return nil }
        let endpoints = webhooks.endpoints.sorted { $0.key < $1.key }.map { name, endpoint in
            WebhookRule.Endpoint(
                name: name, app: endpoint.app.flatMap { AppName($0) },
                kinds: Set(endpoint.events.isEmpty ? WebhookKind.allCases : endpoint.events))
        }
        return WebhookRule(endpoints) { time in
            WebhookID.make(at: time, chance: (.random(in: .min ... .max), .random(in: .min ... .max)))
        }
    }
}

extension WebhookKind: SettingValue {
    static var expectation: String { Spelling.list(allCases.map(\.rawValue)) }
    static var form: SettingForm { .choice(allCases.map(\.rawValue)) }
    init?(setting text: String) { self.init(rawValue: text) }
    var settingText: String { rawValue }
}

extension SettingsReader {
    mutating func checkWebhooks() {
        checkVariables(settings.webhooks.endpoints.keys.sorted(), at: Settings.webhooksPath)
        // The last try comes some three days after the first one.
        if settings.webhooks.keep < .seconds(4 * 86_400) {
            reportChosen("webhooks.keep", "expected 4d or more: so long may the tries take")
        }
        for (name, endpoint) in settings.webhooks.endpoints.sorted(by: { $0.key < $1.key }) {
            let path = "\(Settings.webhooksPath).\(name)"
            // A wrong value was reported already.
            func isMissing(_ key: String, _ value: String?) -> Bool {
                value == nil && !problems.contains { $0.key == "\(path).\(key)" }
            }
            if isMissing("url", endpoint.url) {
                reportChosen("\(path).url", "is missing: expected \(WebhookEndpoint.urlExpectation)")
            }
            if isMissing("secretFile", endpoint.secretFile) {
                reportChosen("\(path).secretFile", "is missing: nobody could tell this server's webhooks from others'")
            }
            if let url = endpoint.url, !endpoint.allowHTTP, !WebhookEndpoint.isPrivate(url) {
                reportChosen(
                    "\(path).url",
                    "expected https://, or an address of this machine: others on the way could read the webhooks; "
                        + "\(path).allowHTTP: true permits it")
            }
            let apps = settings.namedApps.map(\.text)
            if let app = endpoint.app, !apps.contains(app) {
                let known = apps.isEmpty ? "there are none" : "expected \(Spelling.list(apps))"
                reportChosen("\(path).app", "is no app of auth.apps; \(known)")
            }
        }
    }
}
