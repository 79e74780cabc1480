import Transport

/// When the sessions of a leaving node are to come back: one after the other, so that the nodes that take them in are
/// never overloaded.
struct DrainPlan {
    /// A rate that every node can take in: TLS handshakes alone go at thousands a second.
    static let slowestRate = 200.0

    /// No session is sent to the port while our listeners still close on it: they refuse some connections for a second.
    private static let head = Listener.leavingTime + .milliseconds(250)

    /// Sessions a second.
    let rate: Double
    private let firstSlot: Duration
    let sessionCount: Int

    /// - Parameters:
    ///   - rate: how many sessions a second; 0 for the measured rate.
    ///   - measuredRate: how many sessions a second this node was seen to take in.
    ///   - deadline: no slot is later, however many sessions there are.
    init(sessionCount: Int, rate: Int, measuredRate: Int, deadline: Duration) {
        let wanted = rate > 0 ? Double(rate) : max(Double(measuredRate), Self.slowestRate)
        firstSlot = min(Self.head, deadline / 2)
        self.rate = max(wanted, Double(sessionCount) / ((deadline - firstSlot) / .seconds(1)))
        self.sessionCount = sessionCount
    }

    /// The time from now to the moment at which the `index`-th session is to come back.
    func slot(_ index: Int) -> Duration { firstSlot + .nanoseconds(Int64((Double(index) * 1e9 / rate).rounded())) }

    /// Deals out the slots at random, so that neither one shard's sessions nor the oldest ones always go first.
    ///
    /// - Parameter counts: how many sessions each shard has; ``sessionCount`` in all.
    func slots<Random: RandomNumberGenerator>(for counts: [Int], using random: inout Random) -> [[Duration]] {
        var rest = Array(0..<sessionCount).shuffled(using: &random)[...]
        return counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).map(slot)
        }
    }
}
