package import Inbox

/// A phone or browser that can be reached through a provider.
package struct Device: Sendable, Hashable {
    package enum Provider: String, Sendable, Hashable, CaseIterable {
        case apns, fcm, onesignal, webpush
    }

    /// The app's own name for the installation; unique within a user.
    package let id: String
    package let provider: Provider
    /// The provider's address of the device. A secret: never logged.
    package let token: String
    /// When this token was last registered: a provider's "gone" counts only if it is younger.
    package let registeredAt: Timestamp

    package init(id: String, provider: Provider, token: String, registeredAt: Timestamp) {
        self.id = id
        self.provider = provider
        self.token = token
        self.registeredAt = registeredAt
    }
}

extension Device: CustomStringConvertible {
    /// Leaves out the token, so that printing a device or a job cannot leak it.
    package var description: String { "device \(id) (\(provider.rawValue))" }
}
