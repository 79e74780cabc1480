import Inbox
import JSON

/// What is known of an inbox's owner beside their notifications. Shared by the copies of its ``InboxRecord``.
final class Person: Sendable {
    let settings: UserSettings
    let profile: UserProfile

    init(settings: UserSettings, profile: UserProfile) {
        self.settings = settings
        self.profile = profile
    }

    /// Nil if there is nothing to know.
    ///
    /// - Parameters:
    ///   - settings: as ``UserSettings`` writes them.
    ///   - profile: as the backend sent it.
    convenience init?(settings: String?, profile: String?) throws {
        if settings == nil && profile == nil { return nil }
        self.init(settings: UserSettings(), profile: UserProfile())
    }
}
