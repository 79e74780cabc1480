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
    /// It comes as a push and not into the inbox.
    case pushOnly
}

extension UserSettings {
    /// Judges a notification of this type.
    ///
    /// What the app requires, people can neither mute nor switch off. Choices are judged as ``ChannelWishes``.
    ///
    /// - Parameter subjects: what the event is about, as it can be muted: `actor:user-7`, `room:789`.
    package func reception(of type: NotificationType, about subjects: [String], at now: Timestamp) -> Reception {
        if type.preferences.isRequired { return type.usualReception }
        if let subject = muted(of: subjects, at: now) { return .refused(.muted(subject)) }
        return wishes(of: type).reception
    }

    /// Why a push is not wanted that is about to leave; nil if it is. It was wanted when its notification came.
    ///
    /// A batch is wanted as long as one of its events is about nothing that is muted.
    package func refusal(of type: String, under terms: PushTerms, at now: Timestamp) -> Reception.Refusal? {
        if terms.preferences.isRequired { return nil }
        let muted = terms.subjects.map { self.muted(of: $0, at: now) }
        if let subject = muted.first ?? nil, !muted.contains(nil) { return .muted(subject) }
        switch wishes(of: type, in: terms.category, terms.preferences).reception {
        case .accepted(pushes: true), .pushOnly: return nil
        case .accepted(pushes: false), .refused: return .preferenceOff
        }
    }

    /// Whether something was chosen by which a push may not be wanted.
    package var mayRefuse: Bool { !mutes.isEmpty || !types.isEmpty || !categories.isEmpty }

    private func muted(of subjects: [String], at now: Timestamp) -> String? {
        if mutes.isEmpty { return nil }
        return subjects.first { mutes[ExactText($0)]?.holds(at: now) ?? false }
    }
}

extension NotificationType {
    /// What becomes of its notifications for people who have chosen nothing.
    package var usualReception: Reception {
        if preferences.inApp { return .accepted(pushes: preferences.push) }
        return preferences.pushesAlone ? .pushOnly : .refused(.preferenceOff)
    }
}
