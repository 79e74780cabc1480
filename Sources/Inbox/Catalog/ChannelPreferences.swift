/// What an app decides about a type for people who have chosen nothing.
package struct ChannelPreferences: Sendable, Hashable {
    package var inApp: Bool
    package var push: Bool
    /// Whether it comes whatever a person chooses.
    package var isRequired: Bool

    package init(inApp: Bool = true, push: Bool = true, isRequired: Bool = false) {
        self.inApp = inApp
        self.push = push
        self.isRequired = isRequired
    }
}
