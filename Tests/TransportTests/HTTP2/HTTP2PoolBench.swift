@testable import Transport

/// A pool and the time in it.
struct HTTP2PoolBench {
    var pool: HTTP2Pool
    var now = ContinuousClock.now

    init(_ change: (inout HTTP2ClientSettings) -> Void = { _ in }) {
        var settings = HTTP2ClientSettings()
        change(&settings)
        pool = HTTP2Pool(settings)
    }

    /// Everything that is to be done now.
    mutating func decisions() -> [HTTP2Pool.Decision] {
        var decisions: [HTTP2Pool.Decision] = []
        while let decision = pool.next(at: now) { decisions.append(decision) }
        return decisions
    }

    mutating func enter(timeout: Duration = .seconds(60)) -> HTTP2Pool.Entrance {
        pool.enter(deadline: now + timeout, at: now)
    }

    mutating func enter(_ count: Int, timeout: Duration = .seconds(60)) -> [HTTP2Pool.Ticket] {
        (0..<count).compactMap { _ in
            if case .admitted(let ticket) = enter(timeout: timeout) { ticket } else { nil }
        }
    }

    mutating func connect(_ key: Int, limit: Int = 100) {
        pool.connected(key, at: now)
        pool.limited(key, toStreams: limit)
    }

    mutating func pass(_ duration: Duration) {
        now += duration
        pool.advance(to: now, jitter: 0.5)
    }
}
