package import Inbox

/// The keys of all apps at one moment.
package struct TrustedKeys: Sendable {
    private let byApp: [AppName: [KeySet]]

    init(_ byApp: [AppName: [KeySet]]) { self.byApp = byApp }

    /// Whether the app's keys would verify a token that earlier keys have verified: see ``KeySet/trusts(_:)``.
    package func trusts(_ signer: TokenSigner, in app: AppName = .unnamed) -> Bool {
        byApp[app]?.contains { $0.trusts(signer) } ?? false
    }
}
