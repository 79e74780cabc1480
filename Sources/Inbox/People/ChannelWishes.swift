/// Whose word it is that somebody gets a type on a channel, or does not.
package enum Chooser: String, Sendable, Hashable {
    /// The person's, about the type.
    case type
    /// The person's, about the type's category.
    case category
    /// The app's default: the person has said nothing that counts.
    case app
    /// The app's, whatever people choose.
    case catalog
}

/// On which channels somebody gets a type, and whose word that is.
package struct ChannelWishes: Sendable, Hashable {
    package struct Wish: Sendable, Hashable {
        package let isOn: Bool
        package let by: Chooser

        package init(_ isOn: Bool, by chooser: Chooser) { (self.isOn, by) = (isOn, chooser) }
    }

    package let inApp: Wish
    /// Where ``inApp`` is off, whether it comes as a push alone. Where both are off, whose word it is that nothing
    /// comes.
    package let push: Wish

    package init(inApp: Wish, push: Wish) { (self.inApp, self.push) = (inApp, push) }

    var reception: Reception {
        if inApp.isOn { return .accepted(pushes: push.isOn) }
        return push.isOn ? .pushOnly : .refused(.preferenceOff)
    }
}

extension UserSettings {
    /// On which channels a notification of this type comes that is about nothing muted.
    package func wishes(of type: NotificationType) -> ChannelWishes {
        wishes(of: type.name, in: type.category, type.preferences)
    }

    /// What a person has chosen for a type comes before their choice for its category, and that before the app's
    /// default.
    package func wishes(of type: String, in category: String?, _ preferences: ChannelPreferences) -> ChannelWishes {
        if preferences.isRequired {
            return ChannelWishes(
                inApp: .init(preferences.inApp, by: .catalog), push: .init(preferences.pushesByDefault, by: .catalog))
        }
        let ofType = types[ExactText(type)] ?? ChannelChoice()
        let ofCategory = category.flatMap { categories[ExactText($0)] } ?? ChannelChoice()
        func wish(_ chosen: (ChannelChoice) -> Bool?, usually usual: Bool) -> ChannelWishes.Wish {
            if let isOn = chosen(ofType) { return .init(isOn, by: .type) }
            if let isOn = chosen(ofCategory) { return .init(isOn, by: .category) }
            return .init(usual, by: .app)
        }
        if preferences.isPushOnly {
            return ChannelWishes(
                inApp: .init(false, by: .catalog), push: wish(\.pushAlone, usually: preferences.push))
        }
        let inApp = wish(\.inApp, usually: preferences.inApp)
        let push =
            inApp.isOn
            ? wish(\.push, usually: preferences.push) : wish(\.pushAlone, usually: preferences.pushesAlone)
        return ChannelWishes(inApp: inApp, push: push)
    }
}

extension ChannelChoice {
    /// Whether the choice wants pushes of what does not come into the inbox; nil if it does not say. To switch the
    /// inbox off and to say nothing of pushes is to switch off both.
    fileprivate var pushAlone: Bool? { push ?? (inApp == false ? false : nil) }
}
