import Foundation

/// Time and chance for an ``Inbox``; tests can replace them.
public struct InboxClock: Sendable {
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// Waits for a number of milliseconds. Throws only if the task is cancelled.
    let sleep: @Sendable (Int64) async throws -> Void
    /// Uniform from 0 to 1.
    let chance: @Sendable () -> Double

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - sleep: waits for a number of milliseconds; throws only if the task is cancelled.
    ///   - chance: uniform from 0 to 1.
    public init(
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Int64) async throws -> Void,
        chance: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.chance = chance
    }

    /// The system's clock and random numbers.
    public static let system = InboxClock(
        now: { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) },
        chance: { Double.random(in: 0...1) })

    var moment: Moment { Moment(milliseconds: now(), chance: chance()) }
}
