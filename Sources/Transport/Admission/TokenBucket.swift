/// Admits a number of connections a second; a second's worth may come at once.
struct TokenBucket: Sendable {
    private let perSecond: Double
    private var tokens: Double
    private var filled: ContinuousClock.Instant?

    init(perSecond: Int) {
        self.perSecond = Double(perSecond)
        tokens = Double(perSecond)
    }

    /// Takes a token if there is one. Clocks of different shards may be a turn apart: an earlier `now` adds no tokens.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if let last = filled, last < now {
            tokens = min(perSecond, tokens + perSecond * (now - last).seconds)
        }
        filled = max(filled ?? now, now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
