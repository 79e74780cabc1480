/// The effect of a person's settings on one notification.
package enum Reception: Sendable, Hashable {
    /// Why no notification is made.
    package enum Refusal: Sendable, Hashable {
        /// The muted subject, such as `room:789`.
        case muted(String)
        case preferenceOff
    }

    case refused(Refusal)
    /// - Parameter pushes: whether the notification may become a push.
    case accepted(pushes: Bool)
    /// The notification comes as a push, not into the inbox.
    case pushOnly
}

extension UserSettings {
    /// Judges a notification of this type.
    ///
    /// People can neither mute nor switch off a type that the app requires. ``ChannelWishes`` has the rules for
    /// choices.
    ///
    /// - Parameter subjects: the subjects of the event, in the form that people mute: `actor:user-7`, `room:789`.
    package func reception(of type: NotificationType, about subjects: [String], at now: Timestamp) -> Reception {
        if type.preferences.isRequired { return type.usualReception }
        if let subject = muted(of: subjects, at: now) { return .refused(.muted(subject)) }
        return wishes(of: type).reception
    }

    /// Why a push that is about to leave is no longer wanted; nil if it is. It was wanted when its notification came.
    ///
    /// A batch stays wanted while at least one of its events has no muted subject.
    package func refusal(of type: String, under terms: PushTerms, at now: Timestamp) -> Reception.Refusal? {
        if terms.preferences.isRequired { return nil }
        let muted = terms.subjects.map { self.muted(of: $0, at: now) }
        if let subject = muted.first ?? nil, !muted.contains(nil) { return .muted(subject) }
        switch wishes(of: type, in: terms.category, terms.preferences).reception {
        case .accepted(pushes: true), .pushOnly: return nil
        case .accepted(pushes: false), .refused: return .preferenceOff
        }
    }

    /// Whether any choice could stop a push.
    package var mayRefuse: Bool { !mutes.isEmpty || !types.isEmpty || !categories.isEmpty }

    private func muted(of subjects: [String], at now: Timestamp) -> String? {
        if mutes.isEmpty { return nil }
        return subjects.first { mutes[ExactText($0)]?.holds(at: now) ?? false }
    }
}

extension NotificationType {
    /// The reception for people who have chosen nothing.
    package var usualReception: Reception {
        if preferences.inApp { return .accepted(pushes: preferences.push) }
        return preferences.pushesAlone ? .pushOnly : .refused(.preferenceOff)
    }
}
