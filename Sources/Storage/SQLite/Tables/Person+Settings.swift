import Foundation
import Inbox

extension Person {
    static func settings(_ text: String?) throws -> UserSettings { try SettingsTable.settings(text) }

    /// The same person with other settings.
    func with(_ settings: UserSettings) -> Person { Person(settings: settings, profile: profile, device: device) }

    /// What keeps back a push that would leave at `time`; nil if nothing does.
    func hold(at time: Timestamp) -> UserSettings.Hold? {
        // Most people have chosen neither.
        if settings.quietHours == nil && settings.snoozedUntil == nil { return nil }
        return settings.hold(at: time, in: zone)
    }

    /// Where the person's clocks are; UTC for somebody of whom that is not known.
    private var zone: TimeZone {
        (settings.quietHours?.zone ?? reader.zone).flatMap(TimeZone.init(identifier:)) ?? .gmt
    }
}
