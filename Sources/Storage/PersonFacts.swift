package import Inbox

/// What decides what a person gets, and in which words.
package struct PersonFacts: Sendable, Hashable {
    package let settings: UserSettings
    /// What a backend has said of how they read.
    package let profile: Reader
    /// How the device that was registered last is set; it counts where the backend has said nothing.
    package let device: Reader

    package init(settings: UserSettings, profile: Reader, device: Reader) {
        (self.settings, self.profile, self.device) = (settings, profile, device)
    }
}
