import Foundation

/// The clocks of a time zone. A reading is the shown time, in seconds since 1970-01-01T00:00 on the same clocks.
///
/// Readings differ from UTC by an offset that is constant on most days. If clocks are put forward, some readings never
/// come; if they are put back, some come twice.
struct ZoneClock {
    /// More than any clock is ahead of UTC or behind it: clocks in Alaska were ahead by 15:13:42 until 1867. Twice this
    /// time never holds two changes of a zone's clocks: the two closest lie 95 hours apart.
    private static let margin: Int64 = 16 * 3_600

    let zone: TimeZone

    /// The reading of the clocks at a moment.
    func reading(at time: Timestamp) -> Int64 {
        let seconds = Self.seconds(time)
        return seconds + offset(at: seconds)
    }

    /// The first moment at which clocks show this reading, or a later one.
    func first(_ reading: Int64) -> Timestamp {
        let (before, after) = (offset(at: reading - Self.margin), offset(at: reading + Self.margin))
        if before == after { return Self.timestamp(reading - before) }
        let change = change(from: before, around: reading)
        return Self.timestamp(reading < change + before ? reading - before : max(change, reading - after))
    }

    /// The last moment at which clocks come to this reading, by showing it or by skipping it.
    func last(_ reading: Int64) -> Timestamp {
        let (before, after) = (offset(at: reading - Self.margin), offset(at: reading + Self.margin))
        if before == after { return Self.timestamp(reading - before) }
        let change = change(from: before, around: reading)
        // Clocks that are put back show this reading twice: when they first come to it, and at the change.
        return Self.timestamp(reading < change + after ? min(change, reading - before) : reading - after)
    }

    /// The moment when clocks change near a reading.
    /// - Parameter before: the offset from UTC before the change.
    private func change(from before: Int64, around reading: Int64) -> Int64 {
        var (low, high) = (reading - Self.margin, reading + Self.margin)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return high
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
    }

    private static func seconds(_ time: Timestamp) -> Int64 {
        let (quotient, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func timestamp(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }
}
