/// The source of a decision that a person gets a type on a channel, or does not.
package enum Chooser: String, Sendable, Hashable {
    /// The person's choice for the type.
    case type
    /// The person's choice for the type's category.
    case category
    /// The app's default: no choice of the person applies.
    case app
    /// The app's rule, whatever people choose.
    case catalog
}

/// The channels on which a person gets a type, each with the source of the decision.
package struct ChannelWishes: Sendable, Hashable {
    package struct Wish: Sendable, Hashable {
        package let isOn: Bool
        package let by: Chooser

        package init(_ isOn: Bool, by chooser: Chooser) { (self.isOn, by) = (isOn, chooser) }
    }

    package let inApp: Wish
    /// If ``inApp`` is off: whether the type comes as a push alone. If both are off, `by` is the source of the decision
    /// that nothing comes.
    package let push: Wish

    package init(inApp: Wish, push: Wish) { (self.inApp, self.push) = (inApp, push) }

    var reception: Reception {
        if inApp.isOn { return .accepted(pushes: push.isOn) }
        return push.isOn ? .pushOnly : .refused(.preferenceOff)
    }
}

extension UserSettings {
    /// The channels of a notification of this type, apart from mutes.
    package func wishes(of type: NotificationType) -> ChannelWishes {
        wishes(of: type.name, in: type.category, type.preferences)
    }

    /// The person's choice for a type comes before their choice for its category, and that before the app's default.
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
    /// Whether the choice asks for pushes without the inbox; nil if it says nothing. A choice with the inbox off and no
    /// word on pushes switches both off.
    fileprivate var pushAlone: Bool? { push ?? (inApp == false ? false : nil) }
}
