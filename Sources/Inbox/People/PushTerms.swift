/// The facts about a push that people's choices apply to, beside its type. They are rendered with the notification, so
/// that a push that has waited can be judged again without its catalog and its event.
package struct PushTerms: Sendable, Hashable {
    /// The group of types to which the push belongs in people's preferences.
    package var category: String?
    /// The defaults for people who have chosen nothing.
    package var preferences: ChannelPreferences
    /// The subjects of the push's events, in the form that people mute: `actor:user-7`, `room:789`. One list for each
    /// event of a batch; equal lists once; an empty list for events whose subjects are unknown.
    package var subjects: [[String]]

    package init(
        category: String? = nil, preferences: ChannelPreferences = ChannelPreferences(), subjects: [[String]] = []
    ) {
        self.category = category
        self.preferences = preferences
        self.subjects = subjects
    }

    /// Whether only a choice of the person can stop the push.
    package var isWantedByDefault: Bool { preferences.isRequired || preferences.pushesByDefault }
}
