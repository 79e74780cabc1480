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
    /// - Parameter subjects: what the event is about, as it can be muted: `actor:user-7`, `room:789`.
    package func reception(of type: NotificationType, about subjects: [String]) -> Reception { .accepted(pushes: true) }
}

extension NotificationType {
    /// What becomes of its notifications for people who have chosen nothing.
    package var usualReception: Reception { .accepted(pushes: true) }
}
