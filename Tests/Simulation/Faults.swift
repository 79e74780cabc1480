import Support

/// What may go wrong in one simulated run. Each seed turns on some of them, since faults that are always there hide
/// each other.
struct Faults {
    /// How often a node dies; once in so many actions. Nil for never.
    var crash: Int?
    /// Connections end, and both sides hear of it.
    var cut: Int?
    /// Connections pass nothing any more, and nobody hears of it.
    var silence: Int?
    /// Clients take nothing for a while.
    var stall: Int?
    /// Phones put apps to sleep.
    var suspension: Int?
    /// The disk is full for a while.
    var fullDisk: Int?
    /// Nobody can connect for a while.
    var outage: Int?
    /// Of pushes: one in so many gets another answer than "accepted", a late one, or none.
    var provider: Int?
    /// The longest time of a packet, in microseconds.
    var latency: Int64
    /// The longest time of a write, in microseconds.
    var write: Int64

    /// None but slowness.
    init(latency: Int64, write: Int64) { (self.latency, self.write) = (latency, write) }

    /// Some of them.
    @MainActor
    init(_ timeline: Timeline) {
        func some(_ range: ClosedRange<Int64>) -> Int? {
            timeline.chance(2) ? Int(timeline.microseconds(range)) : nil
        }
        crash = some(60...400)
        cut = some(15...80)
        silence = some(20...100)
        stall = some(15...80)
        suspension = some(15...80)
        outage = some(80...300)
        fullDisk = some(80...300)
        provider = some(2...8)
        latency = timeline.pick([2_000, 60_000, 800_000])
        write = timeline.pick([1_000, 20_000, 400_000])
    }
}
