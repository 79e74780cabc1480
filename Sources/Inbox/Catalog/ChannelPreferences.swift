/// The app's defaults for one type; they hold for people who have chosen nothing.
package struct ChannelPreferences: Sendable, Hashable {
    package var inApp: Bool
    package var push: Bool
    /// Whether the type never comes into the inbox, whatever a person chooses.
    package var isPushOnly = false
    /// Whether the type is pushed to people whom the app's default keeps from getting it in the app.
    package var pushesAlone = false
    /// Whether people who have chosen nothing get pushes of the type.
    var pushesByDefault: Bool { inApp ? push : pushesAlone }
    /// Whether the type comes whatever a person chooses.
    package var isRequired: Bool

    package init(inApp: Bool = true, push: Bool = true, isRequired: Bool = false) {
        self.inApp = inApp
        self.push = push
        self.isRequired = isRequired
    }
}
