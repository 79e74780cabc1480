package import Foundation

/// What a person has chosen: which notifications, from whom, and when not to be disturbed.
package struct UserSettings: Sendable, Hashable {
    /// A muted subject.
    package struct Mute: Sendable, Hashable {
        /// Nil until it is taken back.
        package var until: Timestamp?

        package init(until: Timestamp? = nil) { self.until = until }

        package func holds(at now: Timestamp) -> Bool { until.map { $0 > now } ?? true }
    }

    package static let maximumMutes = 1_000
    /// So many types, and so many categories, at most: more than all catalogs have.
    package static let maximumChoices = 1_000

    /// How often they have changed.
    package var revision: Int64 = 0
    /// By the name of the notification type.
    package var types: [ExactText: ChannelChoice] = [:]
    /// By the name of the category.
    package var categories: [ExactText: ChannelChoice] = [:]
    /// By subject: `room:789`.
    package var mutes: [ExactText: Mute] = [:]
    package var quietHours: QuietHours?
    /// No pushes before this moment but urgent ones.
    package var snoozedUntil: Timestamp?

    package init() {}

    /// Whether everything is as the app has it.
    package var isUsual: Bool {
        var settings = self
        settings.revision = 0
        return settings == UserSettings()
    }

    /// What keeps pushes back that are not urgent.
    package struct Hold: Sendable, Hashable {
        package var end: Timestamp
        /// What ends last.
        package var cause: PushDecision.Hold
    }

    /// What keeps back a push that would leave at `time`; nil if nothing does.
    /// - Parameter zone: where the person is.
    package func hold(at time: Timestamp, in zone: TimeZone) -> Hold? {
        var hold: Hold?
        while true {
            let reached = hold?.end ?? time
            if let snoozedUntil, snoozedUntil > reached {
                hold = Hold(end: snoozedUntil, cause: .snooze)
            } else if hold?.cause != .quietHours, let end = quietHours?.end(at: reached, in: zone) {
                hold = Hold(end: end, cause: .quietHours)
            } else {
                return hold
            }
        }
    }
}
