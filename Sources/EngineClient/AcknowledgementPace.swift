import JSON
package import WireProtocol

/// Joins acknowledgements, which are cumulative: a server closes the session of who sends too many frames.
package struct AcknowledgementPace: Sendable {
    /// From one to the next: half of the frames that a server allows unless `ready` says otherwise.
    private var interval = Duration.milliseconds(200)
    private var earliest: ContinuousClock.Instant?
    private var waiting: Int64?

    package init() {}

    /// The server has said how many frames it allows: half of them are left for what else there is to say.
    package mutating func begin(_ ready: ReceivedFrame) {
        guard let limits = ready.object["limits"]?.object, let frames = limits["frames"]?.int,
            let window = limits["framesWindow"]?.int, frames > 0, window > 0
        else { return }
        interval = .milliseconds(min(window, 60_000)) * 2 / min(frames, 1 << 20)
    }

    /// Everything up to this change is on screen.
    ///
    /// - Returns: when to ``take(at:)``; nil where that was told already.
    package mutating func shown(upTo seq: Int64, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let waiting {
            self.waiting = max(waiting, seq)
            return nil
        }
        waiting = seq
        return earliest.map { max($0, now) } ?? now
    }

    /// Up to where to acknowledge now.
    package mutating func take(at now: ContinuousClock.Instant) -> Int64? {
        defer { waiting = nil }
        earliest = now + interval
        return waiting
    }
}
