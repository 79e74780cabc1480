import Foundation
package import Inbox

extension Person {
    /// The same person with other settings.
    package func with(_ settings: UserSettings) -> Person {
        Person(settings: settings, profile: profile, device: device)
    }

    /// The reason to hold a push that would leave at `time`; nil if there is none.
    package func hold(at time: Timestamp) -> UserSettings.Hold? {
        // Most people have chosen neither.
        if settings.quietHours == nil && settings.snoozedUntil == nil { return nil }
        return settings.hold(at: time, in: zone)
    }

    /// The person's time zone; UTC if it is unknown.
    private var zone: TimeZone {
        (settings.quietHours?.zone ?? reader.zone).flatMap(TimeZone.init(identifier:)) ?? .gmt
    }
}
