import JSON
package import WireProtocol

/// Joins acknowledgements, which are cumulative: a server closes the session of a client that sends too many frames.
package struct AcknowledgementPace: Sendable {
    /// The time between two: uses half of a server's default frame limit, until `ready` tells another.
    private var interval = Duration.milliseconds(200)
    private var earliest: ContinuousClock.Instant?
    private var waiting: Int64?

    package init() {}

    /// Takes the server's frame limit: half of it is left for other frames.
    package mutating func begin(_ ready: ReceivedFrame) {
        guard let limits = ready.object["limits"]?.object, let frames = limits["frames"]?.int,
            let window = limits["framesWindow"]?.int, frames > 0, window > 0
        else { return }
        interval = .milliseconds(min(window, 60_000)) * 2 / min(frames, 1 << 20)
    }

    /// All changes up to this one are on screen.
    ///
    /// - Returns: the time for ``take(at:)``; nil if it was told already.
    package mutating func shown(upTo seq: Int64, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let waiting {
            self.waiting = max(waiting, seq)
            return nil
        }
        waiting = seq
        return earliest.map { max($0, now) } ?? now
    }

    /// The change up to which to acknowledge now.
    package mutating func take(at now: ContinuousClock.Instant) -> Int64? {
        defer { waiting = nil }
        earliest = now + interval
        return waiting
    }
}
