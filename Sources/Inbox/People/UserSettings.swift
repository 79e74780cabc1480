package import Foundation

/// A person's choices: which notifications they want, from whom, and when they do not want to be disturbed.
package struct UserSettings: Sendable, Hashable {
    /// A muted subject.
    package struct Mute: Sendable, Hashable {
        /// Nil for a mute without an end.
        package var until: Timestamp?

        package init(until: Timestamp? = nil) { self.until = until }

        /// A mute that a person sets now.
        /// - Parameter place: that of the end, for problems.
        init(until: Timestamp?, at now: Timestamp, place: JSONPointer) throws(PreferenceProblem) {
            if let until, until <= now { throw .invalidValue(place, expected: "a moment to come") }
            self.until = until
        }

        package func holds(at now: Timestamp) -> Bool { until.map { $0 > now } ?? true }
    }

    package static let maximumMutes = 1_000
    /// The most types, and the most categories, with a choice: more than all catalogs have.
    package static let maximumChoices = 1_000

    /// The number of changes so far.
    package var revision: Int64 = 0
    /// By the name of the notification type.
    package var types: [ExactText: ChannelChoice] = [:]
    /// By the name of the category.
    package var categories: [ExactText: ChannelChoice] = [:]
    /// By subject: `room:789`.
    package var mutes: [ExactText: Mute] = [:]
    package var quietHours: QuietHours?
    /// Until this moment only urgent pushes leave.
    package var snoozedUntil: Timestamp?

    package init() {}

    /// Whether no choice differs from the app's defaults.
    package var isUsual: Bool {
        var settings = self
        settings.revision = 0
        return settings == UserSettings()
    }

    /// Keeps back pushes that are not urgent.
    package struct Hold: Sendable, Hashable {
        package var end: Timestamp
        /// The cause that ends last.
        package var cause: PushDecision.Hold
    }

    /// The hold on a push that would leave at `time`; nil for none.
    /// - Parameter zone: the zone of the person.
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

// MARK: Subjects

extension UserSettings {
    package static let subjectForm = "a subject such as room:789, of at most 300 bytes"

    /// Whether the text is a kind and an id, as a catalog's types name them.
    package static func isSubject(_ text: String) -> Bool {
        guard (3...300).contains(text.utf8.count), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        return colon != text.startIndex && text.utf8.index(after: colon) != text.endIndex
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
