package import Foundation

/// When a person does not want to be disturbed, week by week, by the clocks where they are.
package struct QuietHours: Sendable, Hashable {
    /// A part of some days: from a time on until the next time that clocks show the other one.
    ///
    /// `22:00` to `07:00` ends on the next day, and belongs to the day on which it begins. Equal times are a whole day.
    package struct Window: Sendable, Hashable {
        package var days: Weekdays
        /// Minutes since midnight: 0...1439.
        package var from: Int
        /// Minutes since midnight: 0...1440.
        package var to: Int

        package init(days: Weekdays, from: Int, to: Int) {
            self.days = days
            self.from = from
            self.to = to
        }
    }

    package static let maximumWindows = 50
    private static let day: Int64 = 86_400
    /// Where windows leave no gap, nobody needs to know further ahead than this.
    private static let horizon = Duration.seconds(8 * 86_400)

    package var windows: [Window]
    /// An IANA time zone; nil for that of the person's profile.
    package var zone: String?

    package init(windows: [Window], zone: String? = nil) {
        self.windows = windows
        self.zone = zone
    }

    /// When the quiet time ends that holds at `time`; nil if none does.
    ///
    /// Windows that touch or overlap are one. A window begins when clocks show its time first, and ends when they show
    /// its end for the last time: where they are put back, the night is one hour longer and not two nights. A time that
    /// clocks skip is when they skip it.
    package func end(at time: Timestamp, in zone: TimeZone) -> Timestamp? {
        let clock = ZoneClock(zone: zone)
        let reading = clock.reading(at: time)
        let today = reading >= 0 ? reading / Self.day : (reading + 1) / Self.day - 1
        // Where clocks are changed at midnight, the day before and the day after reach into this one.
        let near = spans(today - 2...today + 1, clock)
        guard near.contains(where: { $0.contains(time) }) else { return nil }
        // Each span is looked at once: a person may have fifty windows that touch.
        let spans = (near + self.spans(today + 2...today + 9, clock)).sorted { $0.lowerBound < $1.lowerBound }
        var end = time
        for span in spans where end - time < Self.horizon {
            if span.lowerBound > end { break }
            end = max(end, span.upperBound)
        }
        return end
    }

    /// When the windows of these days hold, in no order.
    private func spans(_ days: ClosedRange<Int64>, _ clock: ZoneClock) -> [Range<Timestamp>] {
        var spans: [Range<Timestamp>] = []
        for window in windows {
            for day in days where window.days.contains(day: day) {
                let midnight = day * Self.day
                let from = clock.first(midnight + Int64(window.from) * 60)
                let to = clock.last(
                    midnight + Int64(window.to) * 60 + (window.to <= window.from ? Self.day : 0))
                // Clocks may skip all of it.
                if from < to { spans.append(from..<to) }
            }
        }
        return spans
    }
}
