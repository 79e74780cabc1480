package import Inbox

/// The facts that decide what a person gets, and in which words.
package struct PersonFacts: Sendable, Hashable {
    package let settings: UserSettings
    /// The locale and zone that a backend gave.
    package let profile: Reader
    /// The locale and zone of the device that was registered last; they count where the backend gave none.
    package let device: Reader

    package init(settings: UserSettings, profile: Reader, device: Reader) {
        (self.settings, self.profile, self.device) = (settings, profile, device)
    }
}
