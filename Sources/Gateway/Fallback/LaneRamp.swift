package import Inbox

/// How fast waiting pushes are sent once a provider answers again.
///
/// One in a tenth of a second at first, doubled ten times, then without limit. That takes as long as the outage, at
/// most ten seconds: a provider that has just come up meets the crowd little by little.
package struct LaneRamp: Sendable, Hashable {
    static let slot = Duration.milliseconds(100)
    static let doublings = 10
    static let longest = Duration.seconds(10)

    package private(set) var since: Timestamp
    package private(set) var end: Timestamp
    private let step: Duration
    private var slotOfUse = 0
    private var used = 0

    init(at now: Timestamp, afterOutageOf outage: Duration) {
        since = now
        let span = min(max(outage, Self.slot * Self.doublings), Self.longest)
        end = now + span
        step = span / Self.doublings
    }

    /// Whether it is over; also after the clock was set back to before its start.
    func isOver(at now: Timestamp) -> Bool { !(since..<end).contains(now) }

    /// How many more may leave now.
    func allowance(at now: Timestamp) -> Int {
        let slot = slot(at: now)
        let doublings = min(Int((now - since) / step), Self.doublings)
        return max((1 << doublings) - (slot == slotOfUse ? used : 0), 0)
    }

    mutating func use(at now: Timestamp) {
        let slot = slot(at: now)
        if slot != slotOfUse { (slotOfUse, used) = (slot, 0) }
        used += 1
    }

    /// Moves all times, as the clock was set.
    mutating func move(by span: Duration) { (since, end) = (since + span, end + span) }

    /// When the next slot begins.
    func nextSlot(after now: Timestamp) -> Timestamp { since + Self.slot * (slot(at: now) + 1) }

    private func slot(at now: Timestamp) -> Int { Int((now - since) / Self.slot) }
}
