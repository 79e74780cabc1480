import Inbox
import Support

/// Simulated time and chance: everything that happens is an event here, one after the other, by a seed.
@MainActor
final class Timeline {
    private struct Event {
        let time: Int64
        /// Of events at the same time, the one that was made first comes first.
        let number: Int
        let body: () -> Void

        func isBefore(_ other: Event) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// Microseconds since the simulation began.
    private(set) var elapsed: Int64 = 0
    /// How far the server's clock was set forward, in milliseconds.
    var clockOffset: Int64 = 0
    private(set) var eventCount = 0
    var random: SeededRandom
    /// Whether to print what happens.
    var isTold = false
    /// A heap: each event comes before its two children.
    private var events: [Event] = []
    /// Where the clocks stand at the beginning: always at the same place, since some times are rounded.
    private let origin = ContinuousClock().systemEpoch + .seconds(1_000_000)
    private let suspendingOrigin = SuspendingClock().systemEpoch + .seconds(1_000_000)

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    var instant: ContinuousClock.Instant { origin + .microseconds(elapsed) }
    var suspendingInstant: SuspendingClock.Instant { suspendingOrigin + .microseconds(elapsed) }
    /// The server's; those of apps are right.
    var wallClock: Timestamp { rightTime + .milliseconds(clockOffset) }
    var rightTime: Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + elapsed / 1_000) }

    func tell(_ text: @autoclosure () -> String) {
        if isTold { print("\(Double(elapsed) / 1_000_000) s  \(text())") }
    }

    // MARK: Chance

    /// True once in `count` times.
    func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }
    func pick<Value>(_ values: [Value]) -> Value { values[random.next(below: values.count)] }
    /// At least 0 and less than 1.
    func fraction() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    func microseconds(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(random.next(below: Int(range.upperBound - range.lowerBound + 1)))
    }

    // MARK: Events

    /// Has something happen later.
    ///
    /// - Parameter delay: in microseconds.
    func after(_ delay: Int64, _ body: @escaping () -> Void) {
        eventCount += 1
        events.append(Event(time: elapsed + max(delay, 0), number: eventCount, body: body))
        var place = events.count - 1
        while place > 0, events[place].isBefore(events[(place - 1) / 2]) {
            events.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Lets the next event happen.
    ///
    /// - Returns: false if there is none before `end`; it is `end` then.
    func advance(before end: Int64) -> Bool {
        guard let next = events.first, next.time < end else {
            elapsed = max(elapsed, end)
            return false
        }
        removeFirst()
        elapsed = next.time
        next.body()
        return true
    }

    /// Forgets all that would happen, which keeps whole nodes in memory.
    func end() { events = [] }

    private func removeFirst() {
        events.swapAt(0, events.count - 1)
        events.removeLast()
        var place = 0
        while true {
            let children = (2 * place + 1..<2 * place + 3).filter { $0 < events.count }
            guard let first = children.min(by: { events[$0].isBefore(events[$1]) }),
                events[first].isBefore(events[place])
            else { return }
            events.swapAt(place, first)
            place = first
        }
    }
}
