import Inbox

/// A quota of events: some a second, and a burst on top. Pure; the caller gives the time.
struct TokenBucket: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var tokens: Double
    private var at: Timestamp

    /// - Parameters:
    ///   - perSecond: more than 0.
    ///   - burst: how many may come at once; at least 1.
    init(perSecond: Int, burst: Int, at now: Timestamp) {
        (self.perSecond, self.burst) = (Double(perSecond), Double(burst))
        (tokens, at) = (Double(burst), now)
    }

    /// Takes so many, or none.
    ///
    /// More than a burst at once are taken from a full bucket, which then is in debt: otherwise they could never come.
    ///
    /// - Returns: nil if they were taken; otherwise after how many seconds they would be.
    mutating func take(_ count: Int, at now: Timestamp) -> Int? {
        fill(at: now)
        let wanted = min(Double(count), burst)
        guard tokens >= wanted else { return max(1, Int(((wanted - tokens) / perSecond).rounded(.up))) }
        tokens -= Double(count)
        return nil
    }

    /// Takes so many, whether they are there or not.
    mutating func takeAnyway(_ count: Int, at now: Timestamp) {
        fill(at: now)
        tokens -= Double(count)
    }

    /// Whether there is not even one.
    mutating func isEmpty(at now: Timestamp) -> Bool {
        fill(at: now)
        return tokens < 1
    }

    /// A clock that was set back adds nothing.
    private mutating func fill(at now: Timestamp) {
        if now > at { tokens = min(burst, tokens + (now - at).seconds * perSecond) }
        at = now
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
