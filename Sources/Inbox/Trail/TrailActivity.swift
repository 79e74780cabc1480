/// What became of an event's word to a Live Activity on one device.
package enum TrailActivity: Sendable, Hashable, LosslessStringConvertible {
    /// Why nothing was sent.
    package enum Drop: String, Sendable, Hashable, CaseIterable {
        /// The device has no token with which activities of this type begin.
        case noStartToken
        /// The device has begun as many activities within the hour as its system allows.
        case startBudget
        /// No activity of this key runs there.
        case notRunning
        /// The activity of this key has ended.
        case over
        /// A later event had been taken in before.
        case older
        /// It ended before its start was sent.
        case neverBegan
        /// It waited longer than it was worth anything.
        case expired
        /// The activity began more than eight hours ago: its system has ended it.
        case tooOld
        /// The payload would be larger than the service takes.
        case tooLarge
        /// The service no longer knows the token: the activity or the app is gone.
        case tokenGone
        /// The app has told that the activity is over.
        case dismissed
    }

    /// The service accepted it.
    /// - Parameter isLowered: whether it left at low priority because the hour's pushes of high priority were sent.
    case sent(ActivityContent.Event, isLowered: Bool)
    /// It waits until the app has sent the running activity's token.
    case waits
    /// It leaves as a part of the start that waits.
    case joined
    /// A later state took its place before it left.
    case replaced
    case dropped(Drop)
    /// In the provider's own words.
    case refused(reason: String)

    /// As it is stored: a word, and what belongs to it behind it.
    package var description: String {
        switch self {
        case .sent(let event, let isLowered): event.rawValue + (isLowered ? " low" : "")
        case .waits: "waits"
        case .joined: "joined"
        case .replaced: "replaced"
        case .dropped(let drop): "dropped \(drop.rawValue)"
        case .refused(let reason): "refused \(reason)"
        }
    }

    /// - Parameter text: a ``description``.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.dropFirst().first) {
        case ("waits", nil): self = .waits
        case ("joined", nil): self = .joined
        case ("replaced", nil): self = .replaced
        case ("dropped", let drop?):
            guard let drop = Drop(rawValue: drop) else { return nil }
            self = .dropped(drop)
        case ("refused", let reason?): self = .refused(reason: reason)
        case (let event, let priority) where priority == nil || priority == "low":
            guard let event = ActivityContent.Event(rawValue: event) else { return nil }
            self = .sent(event, isLowered: priority != nil)
        default: return nil
        }
    }
}
