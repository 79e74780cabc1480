import Transport

/// When the sessions of a node that leaves are to come back: one after the other, so that whoever takes them in is
/// never asked for more than it can take.
struct DrainPlan {
    /// What a node takes in even if it was never seen to: TLS handshakes alone go at thousands a second.
    static let slowestRate = 200.0

    /// Nobody is sent to the port while listeners of ours still close on it: those turn some away for a second.
    private static let head = Listener.leavingTime + .milliseconds(250)

    /// Sessions a second.
    let rate: Double
    private let firstSlot: Duration
    let sessionCount: Int

    /// - Parameters:
    ///   - rate: how many sessions a second; 0 for what was measured.
    ///   - measuredRate: how many this node has been seen to take in a second.
    ///   - deadline: the last slot is not later, however many sessions there are.
    init(sessionCount: Int, rate: Int, measuredRate: Int, deadline: Duration) {
        let wanted = rate > 0 ? Double(rate) : max(Double(measuredRate), Self.slowestRate)
        firstSlot = min(Self.head, deadline / 2)
        self.rate = max(wanted, Double(sessionCount) / ((deadline - firstSlot) / .seconds(1)))
        self.sessionCount = sessionCount
    }

    /// From now to the moment at which the `index`-th session is to come back.
    func slot(_ index: Int) -> Duration { firstSlot + .nanoseconds(Int64((Double(index) * 1e9 / rate).rounded())) }

    /// Deals the slots out at random, so that no shard's sessions, and nobody who came first, always go first.
    ///
    /// - Parameter counts: how many sessions each shard has, ``sessionCount`` in all.
    func slots<Random: RandomNumberGenerator>(for counts: [Int], using random: inout Random) -> [[Duration]] {
        var rest = Array(0..<sessionCount).shuffled(using: &random)[...]
        return counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).map(slot)
        }
    }
}
