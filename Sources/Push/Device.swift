package import Inbox

/// A phone or browser that can be reached through a provider.
package struct Device: Sendable, Hashable {
    package enum Provider: String, Sendable, Hashable, CaseIterable {
        case apns, fcm, onesignal, webpush
    }

    /// Which of Apple's environments a token is for: that of the build which the phone runs.
    package enum Environment: String, Sendable, Hashable, CaseIterable {
        case production, sandbox
    }

    /// What the person allowed the app to do, as the app last told.
    package enum Permission: String, Sendable, Hashable, CaseIterable {
        case granted, provisional, denied
    }

    /// Who has told of the device: decides who may tell something else.
    package enum Registrar: Int64, Sendable, Hashable {
        /// The person's own app, with the person's token.
        case person = 0
        /// A backend, on the Unix socket.
        case backend = 1
        /// Somebody who knows the device's id, where the settings allow that.
        case anybody = 2
    }

    /// The app's own name for the installation; unique within an app and user.
    package var id: String
    /// Which app's installation it is: a device gets the pushes of catalogs of that app. Empty for a device that gets
    /// those of all.
    package var app: String
    package var provider: Provider
    /// The provider's address of the device. A secret: never logged. APNs: hex. FCM: its registration token. OneSignal:
    /// the id of a push subscription, or ``oneSignalUserToken``. Web Push: the subscription's endpoint, a URL.
    package var token: String
    /// What a browser's subscription is encrypted for; only with Web Push, and there always.
    package var keys: WebPushKeys?
    /// `ios`, `android`, `web`: for people and for payloads that differ.
    package var platform: String?
    /// Only with APNs; nil for the environment of the settings.
    package var environment: Environment?
    /// A language tag (RFC 5646), `pt-BR`.
    package var locale: String?
    /// An IANA time zone, `Europe/Berlin`.
    package var zone: String?
    /// Nil if the app did not tell: then a push is tried.
    package var permission: Permission?
    /// When this token was first registered here: a provider's "gone" counts only if it is younger.
    package var registeredAt: Timestamp
    /// When the app last registered.
    package var lastSeenAt: Timestamp
    package var registrar = Registrar.person
    /// The number that its icon was told last, by a push that was accepted; nil if none was, and where nobody asks for
    /// it.
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

    /// The same device, of which this one has told.
    package func told(by registrar: Registrar) -> Device {
        var device = self
        device.registrar = registrar
        return device
    }

    /// The token of a OneSignal device that is addressed by its user's id there (`OneSignal.login(userId)`): all of the
    /// user's subscriptions at once.
    package static func oneSignalUserToken(_ user: UserID) -> String { oneSignalUserPrefix + user.rawValue }

    package static let oneSignalUserPrefix = "user:"

    // MARK: Without a token

    /// Stands for the token of an installation of which only its id is known: no provider's token begins so. Each has
    /// its own, as no two devices share a token.
    package static func awaitedToken(ofDevice id: String, app: String, of user: UserID) -> String {
        "\(awaitedPrefix)\(app)\n\(id)\n\(user.rawValue)"
    }

    /// No push can reach it until its app has registered.
    package var awaitsToken: Bool { token.hasPrefix(Self.awaitedPrefix) }

    package static let awaitedPrefix = "awaited:"
}

extension Device: CustomStringConvertible {
    /// Leaves out the token, so that printing a device or a job cannot leak it.
    package var description: String { "device \(id) (\(provider.rawValue))" }
}
