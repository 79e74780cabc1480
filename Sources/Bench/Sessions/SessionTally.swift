/// The measurements of sessions; those of several shards and workers can be added.
package struct SessionTally: Codable, Sendable {
    /// From a publication's due time to its frame, by stream.
    package var deliveries: [Int: Latencies] = [:]
    /// From a publication's due time to the server's answer to the acknowledgement, by stream.
    package var acks: [Int: Latencies] = [:]
    /// From a session's due time until it is ready: for the first time, and after it came back.
    package var openings = Latencies()
    package var returns = Latencies()
    /// The time when the last session came back, by ``BenchClock``; 0 for none.
    package var lastReturn: Int64 = 0

    package init() {}

    package static func += (sum: inout SessionTally, other: SessionTally) {
        for (stream, latencies) in other.deliveries { sum.deliveries[stream, default: Latencies()].add(latencies) }
        for (stream, latencies) in other.acks { sum.acks[stream, default: Latencies()].add(latencies) }
        sum.openings.add(other.openings)
        sum.returns.add(other.returns)
        sum.lastReturn = max(sum.lastReturn, other.lastReturn)
    }
}
