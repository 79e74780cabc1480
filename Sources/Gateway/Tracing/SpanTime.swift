import Inbox

/// Times of spans: nanoseconds since 1970 by the wall clock.
enum SpanTime {
    static var now: Int64 { WallClock.nanoseconds }

    /// The moment so long ago.
    static func since(_ moment: ContinuousClock.Instant, _ now: Int64) -> Int64 {
        let span = (ContinuousClock.now - moment).components
        return now - span.seconds * 1_000_000_000 - span.attoseconds / 1_000_000_000
    }
}

extension Timestamp {
    var nanoseconds: Int64 { milliseconds * 1_000_000 }
}
