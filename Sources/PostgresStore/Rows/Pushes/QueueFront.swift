import Inbox

/// Where a process begins to look for due lines of one provider.
///
/// While any transaction stays open, entries of rows that went stay in the index, at its front. A look from the
/// beginning would walk past all of them each time. So it begins where the last one has ended, or somewhat before:
/// others commit what was due a moment ago. Now and then, one begins at the beginning.
struct QueueFront {
    /// How long after its moment another node's line may come into sight, in milliseconds.
    static let slack: Int64 = 2_000
    /// The least time between full looks.
    static let pause = Duration.seconds(2)
    /// Full looks take at most one part in so many of the time.
    static let share = 50

    /// No line that a look would miss is before, except those that only a full look finds. What is written before goes
    /// here.
    private(set) var floor = Int64.min
    /// No line that is due later is before this moment: leases end in the order in which they begin.
    private(set) var ahead = Int64.min
    private var nextFullLook: ContinuousClock.Instant?

    /// - Parameters:
    ///   - now: by which the pushes wait, in milliseconds.
    ///   - clock: for the pause between full looks.
    /// - Returns: where the look begins.
    mutating func begin(at now: Int64, _ clock: ContinuousClock.Instant) -> Int64 {
        follow(now)
        return nextFullLook.map { clock < $0 } ?? false ? floor : .min
    }

    /// Goes back if the clock was set back.
    mutating func follow(_ now: Int64) {
        if floor > now - Self.slack { (floor, ahead) = (now - Self.slack, .min) }
    }

    /// Notes how long the look took that has begun at the beginning.
    mutating func endFullLook(_ began: ContinuousClock.Instant, _ clock: ContinuousClock.Instant) {
        nextFullLook = clock + max(Self.pause, (clock - began) * Self.share)
    }

    /// Notes what is left after a look.
    /// - Parameters:
    ///   - due: the first line that is due all the same: others hold it, or there was no room.
    ///   - later: the first line that is due later.
    mutating func end(at now: Int64, leaving due: Int64?, then later: Int64?) {
        floor = max(floor, min(due ?? now, now - Self.slack))
        ahead = later ?? .min
    }

    /// Notes that this process writes a line.
    mutating func wrote(_ moment: Int64) { ahead = min(ahead, moment) }
}

/// The fronts of all providers, as a process keeps them from one transaction to the next. Belongs to the writer's queue.
final class QueueFronts {
    /// By provider's place.
    private var fronts: [Int: QueueFront] = [:]

    subscript(place: Int) -> QueueFront {
        get { fronts[place] ?? QueueFront() }
        set { fronts[place] = newValue }
    }

    /// What a transaction has seen is undone with it.
    func forget() { fronts = [:] }
}
