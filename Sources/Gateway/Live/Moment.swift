/// A moment of the continuous clock in 8 bytes, where `Instant` takes 16: sessions keep several, by the ten thousand.
/// Precise to a nanosecond.
struct Moment: Hashable, Comparable {
    private static let epoch = ContinuousClock().systemEpoch
    private static let attosecondsPerNanosecond: Int128 = 1_000_000_000
    /// Anything further away counts as never, and a sum of two still fits: a token may last to the year 9999.
    private static let furthest = Int64.max / 2

    /// Since the clock's epoch; half the range of 64 bits lasts for 146 years.
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = min(max(nanoseconds, -Self.furthest), Self.furthest)
    }

    init(_ instant: ContinuousClock.Instant) { nanoseconds = Self.nanoseconds(in: instant - Self.epoch) }

    var instant: ContinuousClock.Instant { Self.epoch + .nanoseconds(nanoseconds) }

    /// The next moment that is a multiple of `grain` since the clock's epoch.
    func roundedUp(to grain: Duration) -> Moment {
        let grain = max(Self.nanoseconds(in: grain), 1)
        return Moment(nanoseconds: (nanoseconds + grain - 1) / grain * grain)
    }

    /// How often `grain` has passed since the clock's epoch.
    ///
    /// - Parameter grain: in nanoseconds, from ``nanoseconds(in:)``; at least 1.
    func count(ofNanoseconds grain: Int64) -> Int64 { nanoseconds / grain }

    static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(nanoseconds: moment.nanoseconds + nanoseconds(in: duration))
    }

    static func - (moment: Moment, duration: Duration) -> Moment {
        Moment(nanoseconds: moment.nanoseconds - nanoseconds(in: duration))
    }

    static func - (end: Moment, start: Moment) -> Duration { .nanoseconds(end.nanoseconds - start.nanoseconds) }

    static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }

    static func nanoseconds(in duration: Duration) -> Int64 {
        min(max(Int64(clamping: duration.attoseconds / attosecondsPerNanosecond), -furthest), furthest)
    }
}
