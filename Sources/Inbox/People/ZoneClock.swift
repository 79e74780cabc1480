import Foundation

/// What the clocks of a time zone show, in seconds since 1970-01-01T00:00 of their own.
///
/// On most days that differs from our time by a constant. Where clocks are put forward, some readings never come; where
/// they are put back, some come twice.
struct ZoneClock {
    /// More than any clock is ahead of UTC or behind it: in Alaska they were by 15:13:42, until 1867. Of twice that
    /// time no more than one change of a zone's clocks has ever been a part; the two closest lie 95 hours apart.
    private static let margin: Int64 = 16 * 3_600

    let zone: TimeZone

    /// What clocks show at a moment.
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
        // The reading to which clocks are put back is shown twice, too: when they first come to it, and at the change.
        return Self.timestamp(reading < change + after ? min(change, reading - before) : reading - after)
    }

    /// When clocks are changed near a reading.
    /// - Parameter before: what they are ahead of UTC until then.
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
