import Synchronization

/// Counts a server's pushes by its metrics, from the first look on.
package final class PushCounter: Sendable {
    /// One look at the counters.
    package struct Look: Sendable, Hashable {
        /// By ``BenchClock``.
        package var time: Int64
        package var accepted: Int
        package var others: Int

        package init(time: Int64, accepted: Int, others: Int) {
            (self.time, self.accepted, self.others) = (time, accepted, others)
        }
    }

    /// The counts since the first look.
    package struct Counts: Sendable {
        package var accepted: Int
        package var others: Int
        /// From the last look before the first new push to the last look with a new one.
        package var seconds: Double
    }

    private struct State {
        var first: Look?
        var begun: Look?
        var last: Look?
    }

    private let fetch: @Sendable () async throws -> [UInt8]
    private let state = Mutex(State())

    /// - Parameter fetch: returns the page of metrics.
    package init(fetch: @escaping @Sendable () async throws -> [UInt8]) { self.fetch = fetch }

    package func look() async throws {
        let page = String(decoding: try await fetch(), as: UTF8.self)
        let look = Self.look(at: page, time: BenchClock.now)
        state.withLock { state in
            guard let first = state.first else {
                state = State(first: look, begun: look, last: look)
                return
            }
            if look.accepted == first.accepted { state.begun = look }
            if look.accepted != state.last?.accepted { state.last = look }
            state.last?.others = look.others
        }
    }

    package var accepted: Int { counts.accepted }

    package var counts: Counts {
        state.withLock { state in
            guard let first = state.first, let begun = state.begun, let last = state.last else {
                return Counts(accepted: 0, others: 0, seconds: 0)
            }
            return Counts(
                accepted: last.accepted - first.accepted, others: last.others - first.others,
                seconds: Double(max(0, last.time - begun.time)) / 1e9)
        }
    }

    /// Reads `belfry_pushes_total{…,verdict="accepted"} 12` in the Prometheus text format.
    static func look(at page: String, time: Int64) -> Look {
        var look = Look(time: time, accepted: 0, others: 0)
        for line in page.split(separator: "\n") where line.hasPrefix("belfry_pushes_total") {
            let count = line.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
            if line.contains("\"accepted\"") { look.accepted += count } else { look.others += count }
        }
        return look
    }
}
