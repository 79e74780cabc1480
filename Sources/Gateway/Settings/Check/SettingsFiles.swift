import Foundation
import Inbox
import Logging
import Transport

/// Reads the files that the settings name as a start does, but all of them, to find what is wrong; opens nothing.
struct SettingsFiles {
    /// One line each, with the setting.
    private(set) var problems: [String] = []
    /// Keys that a start would pass over.
    private(set) var warnings: [String] = []

    /// Blocks while it reads.
    init(of settings: Settings) async {
        var settings = settings
        readAuthorities(of: &settings)
        await readCertificates(of: settings)
        await readKeys(of: settings)
        await look { _ = try settings.makeProviders() }
        await look { _ = try await ConsoleSignIn(settings, logger: Self.silent, now: { WallClock.now }) }
        await readStore(settings.store)
        for (name, endpoint) in settings.webhooks.endpoints.sorted(by: { $0.key < $1.key }) {
            await look { _ = try WebhookEndpoint(name, endpoint) }
        }
        let tools = SenderTools(poller: settings.poller.kind, logger: Self.silent, now: { WallClock.now })
        for service in settings.services.all {
            await look { _ = try await service.makeSender(settings.push, tools) }
        }
    }

    private static let silent = Logger(label: "belfry.check") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameter setting: for a problem that does not tell it.
    private mutating func look(_ setting: String? = nil, _ read: () async throws -> Void) async {
        do { try await read() } catch { problems.append((setting.map { "\($0): " } ?? "") + "\(error)") }
    }

    /// Looks at the files with trusted certificates first, and takes them out: they shall not hide a wrong key.
    private mutating func readAuthorities(of settings: inout Settings) {
        for field in settings.fields where field.path.hasSuffix(".caFile") {
            for file in field.texts(settings) {
                do { _ = try TLSClientContext(caFile: file) } catch { problems.append("\(field.path): \(error)") }
            }
        }
        settings.push.apns.caFile = nil
        settings.push.fcm.caFile = nil
        settings.push.oneSignal.caFile = nil
        settings.push.webPush.caFile = nil
        settings.console.oidc.caFile = nil
        for name in settings.providers.keys { settings.providers[name]?.caFile = nil }
    }

    private mutating func readCertificates(of settings: Settings) async {
        await look("tls") { _ = try Edge(settings) }
        // The publishers' listener without a certificate of its own has that of the other.
        guard settings.publishing.certificateFile != nil else { return }
        var alone = settings
        (alone.tls.certificateFile, alone.tls.keyFile) = (nil, nil)
        await look("publishing") { _ = try PublishingEdge(alone, beside: Edge(alone)) }
    }

    /// An app without keys is no problem: the environment may name them.
    private mutating func readKeys(of settings: Settings) async {
        var apps: [Authenticator.App] = []
        for app in [.unnamed] + settings.namedApps {
            let (auth, path) = (settings[auth: app.isUnnamed ? nil : app], app.settingsPath)
            guard auth.keySource != KeySource() else { continue }
            do throws(KeyProblem) {
                let rules = auth.rules(in: app)
                warnings += try await KeyLoader.load(auth.keySource, for: rules).notes.map { "\(path): \($0)" }
                apps.append(Authenticator.App(source: auth.keySource, rules: rules))
            } catch  where error.source == path {
                // All could be read, and none is of use.
                warnings.append(error.description)
            } catch {
                problems.append(error.source.hasPrefix(path) ? error.description : "\(path): \(error)")
            }
        }
        // Whether two apps would take the same token.
        await look { _ = try await Authenticator(apps) }
    }

    private mutating func readStore(_ store: Settings.Store) async {
        await look { if let address = try store.address() { _ = try store.withPassword(address) } }
        let query = store.url.flatMap { URLComponents(string: $0.text)?.queryItems } ?? []
        for item in query where ["sslrootcert", "sslcert", "sslkey"].contains(item.name) {
            // `system` stands for the system's authorities (libpq, "sslrootcert").
            guard let file = item.value, !file.isEmpty, file != "system" else { continue }
            await look("store.url: \(item.name)") { _ = try TextFile.read(file) }
        }
    }
}
