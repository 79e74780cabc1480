package import Inbox

/// How fast what waited for a provider is sent once it answers again.
///
/// One a tenth of a second at first, doubled ten times; then without limit. That takes as long as the outage took, ten
/// seconds at most: a provider that has just come up meets the crowd by and by.
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

    /// Whether it is over; also when the clock was set back to before its start.
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

    /// Time is counted from elsewhere.
    mutating func move(by span: Duration) { (since, end) = (since + span, end + span) }

    /// When more may leave than now.
    func nextSlot(after now: Timestamp) -> Timestamp { since + Self.slot * (slot(at: now) + 1) }

    private func slot(at now: Timestamp) -> Int { Int((now - since) / Self.slot) }
}
