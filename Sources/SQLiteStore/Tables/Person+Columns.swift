import Deliveries
import Inbox
import JSON
import Store

extension Person {
    /// Nil if nothing is known.
    ///
    /// - Parameters:
    ///   - settings: as ``UserSettings`` writes them.
    ///   - profile: as ``UserProfile/json``.
    ///   - device: the locale and zone of the device that was registered last.
    ///   - onDamage: called for a text that cannot be read, which counts as if it had never been written.
    convenience init?(settings: String?, profile: String?, device: Reader, onDamage: () -> Void) {
        if settings == nil && profile == nil && device == Reader() { return nil }
        self.init(
            settings: Self.sound(onDamage) { try Self.settings(settings) } ?? UserSettings(),
            profile: Self.sound(onDamage) { try Self.profile(profile) } ?? UserProfile(), device: device)
    }

    /// What the column holds; the usual ones for nil.
    static func settings(_ text: String?) throws -> UserSettings {
        guard let text else { return UserSettings() }
        do {
            return try UserSettings(JSONValue(parsing: Array(text.utf8)))
        } catch {
            throw DamagedRow(table: "inbox")
        }
    }

    private static func sound<Value>(_ onDamage: () -> Void, _ read: () throws -> Value) -> Value? {
        do { return try read() } catch {
            onDamage()
            return nil
        }
    }

    /// Reads the column; an empty profile for nil.
    static func profile(_ text: String?) throws -> UserProfile {
        guard let text else { return UserProfile() }
        guard let json = try JSONValue(parsing: Array(text.utf8)).object else { throw DamagedRow(table: "inbox") }
        return UserProfile(stored: json)
    }
}
