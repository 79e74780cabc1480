/// What a person's settings make of one notification.
package enum Reception: Sendable, Hashable {
    /// Why it never comes into being.
    package enum Refusal: Sendable, Hashable {
        /// The subject that is muted, such as `room:789`.
        case muted(String)
        case preferenceOff
    }

    case refused(Refusal)
    /// - Parameter pushes: whether it may become a push.
    case accepted(pushes: Bool)
}

extension UserSettings {
    /// Judges a notification of this type.
    ///
    /// What a person has chosen for a type comes before their choice for its category, and that before the app's default.
    /// What the app requires, they can neither mute nor switch off.
    ///
    /// - Parameter subjects: what the event is about, as it can be muted: `actor:user-7`, `room:789`.
    package func reception(of type: NotificationType, about subjects: [String], at now: Timestamp) -> Reception {
        let preferences = type.preferences
        if preferences.isRequired { return type.usualReception }
        if !mutes.isEmpty, let subject = subjects.first(where: { mutes[ExactText($0)]?.holds(at: now) ?? false }) {
            return .refused(.muted(subject))
        }
        let ofType = types[ExactText(type.name)]
        let ofCategory = type.category.flatMap { categories[ExactText($0)] }
        guard ofType?.inApp ?? ofCategory?.inApp ?? preferences.inApp else { return .refused(.preferenceOff) }
        return .accepted(pushes: ofType?.push ?? ofCategory?.push ?? preferences.push)
    }
}

extension NotificationType {
    /// What becomes of its notifications for people who have chosen nothing.
    package var usualReception: Reception {
        preferences.inApp ? .accepted(pushes: preferences.push) : .refused(.preferenceOff)
    }
}
