package import Inbox
import JSON

/// The known data of an inbox's owner, beside notifications. Shared by the copies of its ``InboxRecord``.
package final class Person: Sendable {
    package let settings: UserSettings
    package let profile: UserProfile
    /// The locale and zone of the device that was registered last.
    package let device: Reader
    /// The reader for whom texts are rendered: as the backend says, or else as the device says.
    package let reader: Reader

    package init(settings: UserSettings, profile: UserProfile, device: Reader) {
        self.settings = settings
        self.profile = profile
        self.device = device
        reader = Reader(locale: profile.locale ?? device.locale, zone: profile.zone ?? device.zone)
    }
}
