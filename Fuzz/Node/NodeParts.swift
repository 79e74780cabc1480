import Dispatch
import Foundation
import Gateway
import Inbox
import Synchronization

/// The settings, keys and catalog of each ``FuzzedNode``: made once, as they take longer than an input.
package struct NodeParts: Sendable {
    let settings: Settings
    let authenticator: Authenticator
    let catalogs: LoadedCatalogs
    private let issuer: TokenIssuer

    /// - Parameter catalog: its YAML.
    package init(catalog: String) {
        var settings = Settings()
        settings.compression.isEnabled = false
        settings.shards = 1
        settings.limits.requestsPer10s = 0
        settings.limits.requestsPerAddressPer10s = 0
        settings.trail.isExplained = true
        settings.auth.pollWithoutToken = true
        settings.auth.registerDeviceWithoutToken = true
        self.settings = settings
        let secret = Secret("a secret of made-up tokens that opens nothing")
        guard let issuer = try? TokenIssuer(secret: secret), let authenticator = Self.authenticator(secret) else {
            fatalError("a secret that is none")
        }
        (self.issuer, self.authenticator) = (issuer, authenticator)
        do throws(FileMistakes) {
            catalogs = try LoadedCatalogs([LoadedCatalogs.Source(file: "made.yaml", text: catalog)])
        } catch {
            fatalError("\(error)")
        }
    }

    package func token(of name: String) -> String {
        let start = Timestamp(milliseconds: 1_799_999_000_000)
        guard let user = UserID(name),
            let token = try? issuer.token(for: user, at: start, lifetime: .seconds(365 * 86_400))
        else { fatalError("\(name) is no user's name") }
        return token
    }

    private static func authenticator(_ secret: Secret) -> Authenticator? {
        let (done, made) = (DispatchSemaphore(value: 0), Made())
        Task.detached {
            let authenticator = try? await Authenticator(source: KeySource(secret: secret), rules: TokenRules())
            made.authenticator.withLock { $0 = authenticator }
            done.signal()
        }
        done.wait()
        return made.authenticator.withLock { $0 }
    }

    private final class Made: Sendable { let authenticator = Mutex<Authenticator?>(nil) }
}
