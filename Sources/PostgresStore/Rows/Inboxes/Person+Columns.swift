import Deliveries
import Inbox
import JSON

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
        let known = (settings: settings.map(Self.settings(stored:)), profile: profile.map(Self.profile(stored:)))
        if case .some(nil) = known.settings { onDamage() }
        if case .some(nil) = known.profile { onDamage() }
        self.init(
            settings: (known.settings ?? nil) ?? UserSettings(), profile: (known.profile ?? nil) ?? UserProfile(),
            device: device)
    }

    /// What the column holds; nil for a text that cannot be read.
    static func settings(stored text: String) -> UserSettings? {
        guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
        return try? UserSettings(json)
    }

    /// What the column holds; nil for a text that cannot be read.
    static func profile(stored text: String) -> UserProfile? {
        (try? JSONValue(parsing: Array(text.utf8)))?.object.map(UserProfile.init(stored:))
    }
}
