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
    /// Windows that touch or overlap are one. A window begins when clocks show its time first, and ends when they show its
    /// end for the last time: where they are put back, the night is one hour longer and not two nights. A time that clocks
    /// skip is when they skip it.
    package func end(at time: Timestamp, in zone: TimeZone) -> Timestamp? {
        guard !windows.isEmpty else { return nil }
        let clock = ZoneClock(zone: zone)
        var end: Timestamp?
        var reached = time
        while reached - time < Self.horizon, let next = endOfWindow(at: reached, clock) {
            end = next
            reached = next
        }
        return end
    }

    /// The latest end of the windows that hold at `time`.
    private func endOfWindow(at time: Timestamp, _ clock: ZoneClock) -> Timestamp? {
        let reading = clock.reading(at: time)
        let today = reading >= 0 ? reading / Self.day : (reading + 1) / Self.day - 1
        var latest: Timestamp?
        for window in windows {
            // Where clocks are changed at midnight, the day before and the day after reach into this one.
            for day in today - 2...today + 1 where window.days.contains(day: day) {
                let midnight = day * Self.day
                let from = midnight + Int64(window.from) * 60
                let to = midnight + Int64(window.to) * 60 + (window.to <= window.from ? Self.day : 0)
                let end = clock.last(to)
                guard time < end, clock.first(from) <= time else { continue }
                latest = max(latest ?? end, end)
            }
        }
        return latest
    }
}
