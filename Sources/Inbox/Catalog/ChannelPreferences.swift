/// What an app decides about a type for people who have chosen nothing.
package struct ChannelPreferences: Sendable, Hashable {
    package var inApp: Bool
    package var push: Bool
    /// Whether it never comes into the inbox, whatever a person chooses.
    package var isPushOnly = false
    /// Whether it is pushed to people who do not get it in the app because the app's default is so.
    package var pushesAlone = false
    /// Whether people who have chosen nothing get pushes of it.
    var pushesByDefault: Bool { inApp ? push : pushesAlone }
    /// Whether it comes whatever a person chooses.
    package var isRequired: Bool

    package init(inApp: Bool = true, push: Bool = true, isRequired: Bool = false) {
        self.inApp = inApp
        self.push = push
        self.isRequired = isRequired
    }
}
