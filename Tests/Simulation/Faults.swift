import Support

/// What may go wrong in one simulated run. Each seed turns on some of them, since faults that are always there hide
/// each other.
struct Faults {
    enum Kind: String, CaseIterable {
        /// The node dies.
        case crash
        /// A connection ends, and both sides hear of it.
        case cut
        /// A connection passes nothing any more, and nobody hears of it.
        case silence
        /// A client takes nothing for a while.
        case stall
        /// A phone puts an app to sleep.
        case suspension
        /// The disk is full for a while.
        case fullDisk
        /// The machine's clock is set, by hours.
        case clock
        /// Nobody can connect for a while.
        case outage
        /// A process is stopped for a while, as by SIGSTOP.
        case stop
        /// Messages between nodes get lost, come twice, late or in another order, and their connections end.
        case messages
        /// The database that nodes share is away for a while.
        case database
        /// A push gets another answer than "accepted", or none.
        case provider
    }

    /// Once in how many actions each happens, of pushes once in how many of them.
    private var rates: [Kind: Int] = [:]
    /// The longest time of a packet, in microseconds.
    let latency: Int64
    /// The longest time of a write, in microseconds.
    let write: Int64

    subscript(_ kind: Kind) -> Int? { rates[kind] }
    var kinds: [Kind] { Kind.allCases.filter { rates[$0] != nil } }

    /// Some of them.
    ///
    /// - Parameter off: the kinds that are left out in any case.
    @MainActor
    init(_ timeline: Timeline, without off: Set<Kind>) {
        for kind in Kind.allCases {
            let rate = Int(timeline.microseconds(Self.range(of: kind)))
            if timeline.chance(2), !off.contains(kind) { rates[kind] = rate }
        }
        latency = timeline.pick([2_000, 60_000, 800_000])
        write = timeline.pick([1_000, 20_000, 400_000])
    }

    private static func range(of kind: Kind) -> ClosedRange<Int64> {
        switch kind {
        case .crash: 60...400
        case .cut, .stall, .suspension, .clock: 15...80
        case .silence: 20...100
        case .fullDisk, .outage, .stop, .messages, .database: 80...300
        case .provider: 2...8
        }
    }

    /// No more of them. A slow network and a slow disk stay slow.
    mutating func end() { rates = [:] }
}
