package import Inbox

/// A phone or browser that can be reached through a provider.
package struct Device: Sendable, Hashable {
    /// The Apple environment of a token: that of the build on the phone.
    package enum Environment: String, Sendable, Hashable, CaseIterable {
        case production, sandbox
    }

    /// The person's permission for the app's notifications, as the app last told it.
    package enum Permission: String, Sendable, Hashable, CaseIterable {
        case granted, provisional, denied
    }

    /// The party that registered the device; decides which party may change it.
    package enum Registrar: Int64, Sendable, Hashable {
        /// The person's own app, with the person's token.
        case person = 0
        /// A backend, on the Unix socket.
        case backend = 1
        /// Anybody who knows the device's id, if the settings allow that.
        case anybody = 2
    }

    /// The app's own name for the installation; unique within an app and user.
    package var id: String
    /// The app of the installation: the device gets pushes of that app's catalogs. Empty for a device that gets pushes
    /// of all catalogs.
    package var app: String
    package var provider: Provider
    /// The provider's address of the device. A secret: never logged. APNs: hex. FCM: its registration token. OneSignal:
    /// the id of a push subscription, or ``oneSignalUserToken``. Web Push: the subscription's endpoint, a URL.
    package var token: String
    /// The keys that pushes to a browser are encrypted for; always there with Web Push, nil with other providers.
    package var keys: WebPushKeys?
    /// Only with Web Push: the page that a push opens, and to which links are relative; ``WebPushScope`` reads it. Nil
    /// for a page that shows pushes with a service worker of its own, and for an app that is no page.
    package var scope: String?
    /// When the browser drops the subscription; nil if it did not tell.
    package var expiresAt: Timestamp?
    /// `ios`, `android` or `web`: for people, and for payloads that differ.
    package var platform: String?
    /// Only with APNs; nil for the environment of the settings.
    package var environment: Environment?
    /// A language tag (RFC 5646), `pt-BR`.
    package var locale: String?
    /// An IANA time zone, `Europe/Berlin`.
    package var zone: String?
    /// Nil if the app did not tell it; a push is tried then.
    package var permission: Permission?
    /// When this token was first registered here: a provider's "gone" counts only if it is later.
    package var registeredAt: Timestamp
    /// When the app last registered.
    package var lastSeenAt: Timestamp
    package var registrar = Registrar.person
    /// The number that its icon got last, by an accepted push; nil if none was accepted, and where the number was not
    /// loaded.
    package var badge: Int64?

    package init(
        id: String, app: String = "", provider: Provider, token: String, keys: WebPushKeys? = nil,
        platform: String? = nil, environment: Environment? = nil, locale: String? = nil, zone: String? = nil,
        permission: Permission? = nil, registeredAt: Timestamp, lastSeenAt: Timestamp? = nil
    ) {
        self.id = id
        self.app = app
        self.provider = provider
        self.token = token
        self.keys = keys
        self.platform = platform
        self.environment = environment
        self.locale = locale
        self.zone = zone
        self.permission = permission
        self.registeredAt = registeredAt
        self.lastSeenAt = lastSeenAt ?? registeredAt
    }

    /// The same device, registered by this party.
    package func told(by registrar: Registrar) -> Device {
        var device = self
        device.registrar = registrar
        return device
    }

    /// The token of a OneSignal device that is addressed by its user's id there (`OneSignal.login(userId)`): the push
    /// goes to all subscriptions of the user.
    package static func oneSignalUserToken(_ user: UserID) -> String { oneSignalUserPrefix + user.name }

    package static let oneSignalUserPrefix = "user:"

    // MARK: Without a token

    /// Stands for the token of an installation whose app has told only its id. No provider's token begins with this
    /// prefix. Each installation has its own, because two devices cannot share a token.
    package static func awaitedToken(ofDevice id: String, app: String, of user: UserID) -> String {
        "\(awaitedPrefix)\(app)\n\(id)\n\(user.key)"
    }

    /// Whether no push can reach the device until its app has registered.
    package var awaitsToken: Bool { token.hasPrefix(Self.awaitedPrefix) }

    package static let awaitedPrefix = "awaited:"
}

extension Device: CustomStringConvertible {
    /// Leaves out the token, so that a printed device or job cannot leak it.
    package var description: String { "device \(id) (\(provider.name))" }
}
