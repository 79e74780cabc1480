package import Inbox

/// Keeps alarms readable: a reason's first refusal is reported at once, later ones once a minute with their number.
package struct RefusalLog: Sendable {
    package struct Report: Sendable, Hashable {
        package let reason: String
        /// Since the last report.
        package let count: Int
    }

    package struct Entry: Sendable, Hashable {
        package fileprivate(set) var count: Int
        package fileprivate(set) var lastAt: Timestamp
        fileprivate var untold: Int
        fileprivate var toldAt: Timestamp
    }

    static let interval = Duration.seconds(60)
    /// The most reasons that are told apart: reasons are the provider's words, so their number is not ours to limit.
    static let maximumReasons = 32
    /// Stands for all further reasons.
    static let others = "other"

    package private(set) var entries: [String: Entry] = [:]

    /// Notes a refusal; returns the reason under which it counts, and the report that is due now.
    mutating func note(_ reason: String, at now: Timestamp) -> (reason: String, report: Report?) {
        let isKnown = entries[reason] != nil || entries.count < Self.maximumReasons
        let reason = isKnown ? reason : Self.others
        guard var entry = entries[reason] else {
            entries[reason] = Entry(count: 1, lastAt: now, untold: 0, toldAt: now)
            return (reason, Report(reason: reason, count: 1))
        }
        entry.count += 1
        entry.lastAt = now
        entry.untold += 1
        entries[reason] = entry
        return (reason, isDue(entry, at: now) ? tell(reason, entry, at: now) : nil)
    }

    /// The reports that are due.
    mutating func reports(at now: Timestamp) -> [Report] {
        entries.filter { $1.untold > 0 && isDue($1, at: now) }.sorted { $0.key < $1.key }.map { reason, entry in
            tell(reason, entry, at: now)
        }
    }

    /// When ``reports(at:)`` will next return a report; nil without any.
    var nextReport: Timestamp? { entries.values.filter { $0.untold > 0 }.map { $0.toldAt + Self.interval }.min() }

    private func isDue(_ entry: Entry, at now: Timestamp) -> Bool {
        // This also holds after the clock was set back.
        !(entry.toldAt..<entry.toldAt + Self.interval).contains(now)
    }

    private mutating func tell(_ reason: String, _ entry: Entry, at now: Timestamp) -> Report {
        entries[reason]?.untold = 0
        entries[reason]?.toldAt = now
        return Report(reason: reason, count: entry.untold)
    }
}
