package import Foundation

/// The times when a person does not want to be disturbed: by weekday, on the clocks of the person's zone.
package struct QuietHours: Sendable, Hashable {
    /// A part of some days: from one clock time to the next occurrence of the other.
    ///
    /// `22:00` to `07:00` ends on the next day, and belongs to the day on which it begins. Equal times mean a whole
    /// day.
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
    /// The furthest end that is computed: windows without a gap would never end.
    private static let horizon = Duration.seconds(8 * 86_400)

    package var windows: [Window]
    /// An IANA time zone; nil for the zone of the person's profile.
    package var zone: String?

    package init(windows: [Window], zone: String? = nil) {
        self.windows = windows
        self.zone = zone
    }

    /// The end of the quiet time that holds at `time`; nil if none holds.
    ///
    /// Windows that touch or overlap count as one. A window begins when clocks first show its start, and ends when they
    /// last show its end: if clocks are put back, the night is an hour longer. A time that clocks skip is the moment of
    /// the change.
    package func end(at time: Timestamp, in zone: TimeZone) -> Timestamp? {
        let clock = ZoneClock(zone: zone)
        let reading = clock.reading(at: time)
        let today = reading >= 0 ? reading / Self.day : (reading + 1) / Self.day - 1
        // If clocks change at midnight, the days before and after reach into this day.
        let near = spans(today - 2...today + 1, clock)
        guard near.contains(where: { $0.contains(time) }) else { return nil }
        // Each span is visited once: a person may have fifty windows that touch.
        let spans = (near + self.spans(today + 2...today + 9, clock)).sorted { $0.lowerBound < $1.lowerBound }
        var end = time
        for span in spans where end - time < Self.horizon {
            if span.lowerBound > end { break }
            end = max(end, span.upperBound)
        }
        return end
    }

    /// The spans of time of these days' windows, in no order.
    private func spans(_ days: ClosedRange<Int64>, _ clock: ZoneClock) -> [Range<Timestamp>] {
        var spans: [Range<Timestamp>] = []
        for window in windows {
            for day in days where window.days.contains(day: day) {
                let midnight = day * Self.day
                let from = clock.first(midnight + Int64(window.from) * 60)
                let to = clock.last(
                    midnight + Int64(window.to) * 60 + (window.to <= window.from ? Self.day : 0))
                // Clocks may skip the whole window.
                if from < to { spans.append(from..<to) }
            }
        }
        return spans
    }
}
