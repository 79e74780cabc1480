/// What a person has chosen: which notifications, from whom, and when not to be disturbed.
package struct UserSettings: Sendable, Hashable {
    package init() {}

    /// Whether everything is as the app has it.
    package var isUsual: Bool { self == UserSettings() }
}
