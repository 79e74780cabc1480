package import Inbox

/// The result of a change of settings.
package enum SettingsOutcome: Sendable, Hashable {
    /// The current settings, whether or not they have changed.
    case settled(UserSettings)
    /// Nothing was changed.
    case refused(PreferenceProblem)
}
