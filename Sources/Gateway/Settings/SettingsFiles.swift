import Inbox
import Logging
import Transport

/// Reads the files that the settings name as a start does, to find what is wrong with them; opens nothing.
struct SettingsFiles {
    /// One line each, with the setting or the file.
    private(set) var problems: [String] = []
    /// Keys that a start would pass over.
    private(set) var warnings: [String] = []

    /// Blocks while it reads.
    init(of settings: Settings) async {
        await look { _ = try PublishingEdge(settings, beside: Edge(settings)) }
        await readKeys(of: settings)
        await look { _ = try settings.makeProviders() }
        await look { _ = try await ConsoleSignIn(settings, logger: Self.silent, now: { WallClock.now }) }
        await look { if let address = try settings.store.address() { _ = try settings.store.withPassword(address) } }
        for (name, endpoint) in settings.webhooks.endpoints.sorted(by: { $0.key < $1.key }) {
            await look { _ = try WebhookEndpoint(name, endpoint) }
        }
        let tools = SenderTools(poller: settings.poller.kind, logger: Self.silent, now: { WallClock.now })
        for service in settings.services.all {
            await look { _ = try await service.makeSender(settings.push, tools) }
        }
    }

    private static let silent = Logger(label: "belfry.check") { _ in SwiftLogNoOpLogHandler() }

    private mutating func look(_ read: () async throws -> Void) async {
        do { try await read() } catch { problems.append("\(error)") }
    }

    /// An app without keys is no problem: the environment may name them.
    private mutating func readKeys(of settings: Settings) async {
        var apps: [Authenticator.App] = []
        for app in [.unnamed] + settings.namedApps {
            let auth = settings[auth: app.isUnnamed ? nil : app]
            guard auth.keySource != KeySource() else { continue }
            do throws(KeyProblem) {
                let rules = auth.rules(in: app)
                warnings += try await KeyLoader.load(auth.keySource, for: rules).notes
                apps.append(Authenticator.App(source: auth.keySource, rules: rules))
            } catch {
                problems.append(error.description)
            }
        }
        // Whether two apps would take the same token.
        await look { _ = try await Authenticator(apps) }
    }
}
