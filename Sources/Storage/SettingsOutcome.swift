package import Inbox

/// What a change of somebody's settings led to.
package enum SettingsOutcome: Sendable, Hashable {
    /// The settings as they are now, whether or not that is anything new.
    case settled(UserSettings)
    /// Nothing was changed.
    case refused(PreferenceProblem)
}
