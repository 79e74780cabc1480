/// What people's choices about a push go by, beside its type: rendered with the notification, so that a push that has
/// waited can be judged once more without its catalog and its event.
package struct PushTerms: Sendable, Hashable {
    /// The group of types to which it belongs in people's preferences.
    package var category: String?
    /// What holds for people who have chosen nothing.
    package var preferences: ChannelPreferences
    /// What its events are about, as it can be muted: `actor:user-7`, `room:789`. A list for each event of a batch,
    /// equal ones once; an empty one stands for events of which that is not known.
    package var subjects: [[String]]

    package init(
        category: String? = nil, preferences: ChannelPreferences = ChannelPreferences(), subjects: [[String]] = []
    ) {
        self.category = category
        self.preferences = preferences
        self.subjects = subjects
    }

    /// Whether only a choice of the person can keep it back.
    package var isWantedByDefault: Bool { preferences.isRequired || preferences.pushesByDefault }
}
