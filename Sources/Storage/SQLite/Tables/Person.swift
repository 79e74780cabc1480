import Inbox
import JSON

/// What is known of an inbox's owner beside their notifications. Shared by the copies of its ``InboxRecord``.
final class Person: Sendable {
    let settings: UserSettings
    let profile: UserProfile
    /// How the device that was registered last is set.
    let device: Reader
    /// For whom texts are rendered: what the backend says counts, and where it says nothing, the device.
    let reader: Reader

    init(settings: UserSettings, profile: UserProfile, device: Reader) {
        self.settings = settings
        self.profile = profile
        self.device = device
        reader = Reader(locale: profile.locale ?? device.locale, zone: profile.zone ?? device.zone)
    }

    /// Nil if there is nothing to know.
    ///
    /// - Parameters:
    ///   - settings: as ``UserSettings`` writes them.
    ///   - profile: as ``UserProfile/json``.
    ///   - device: how the device that was registered last is set.
    ///   - onDamage: what cannot be read counts as if it had never been written.
    convenience init?(settings: String?, profile: String?, device: Reader, onDamage: () -> Void) {
        if settings == nil && profile == nil && device == Reader() { return nil }
        self.init(
            settings: Self.sound(onDamage) { try Self.settings(settings) } ?? UserSettings(),
            profile: Self.sound(onDamage) { try Self.profile(profile) } ?? UserProfile(), device: device)
    }

    private static func sound<Value>(_ onDamage: () -> Void, _ read: () throws -> Value) -> Value? {
        do { return try read() } catch {
            onDamage()
            return nil
        }
    }

    /// What the column holds; nobody's profile for nil.
    static func profile(_ text: String?) throws -> UserProfile {
        guard let text else { return UserProfile() }
        guard let json = try JSONValue(parsing: Array(text.utf8)).object else { throw DamagedRow(table: "inbox") }
        return UserProfile(stored: json)
    }
}
