/// The state of sessions at one moment; those of several shards and workers can be added.
package struct SessionCounts: Codable, Sendable, Hashable {
    /// Sessions that were told to open or to come back, and are neither ready nor given up.
    package var underway = 0
    package var ready = 0
    /// Given up, by reason.
    package var failures: [String: Int] = [:]
    /// Unplanned ends of ready sessions, by reason.
    package var losses: [String: Int] = [:]
    /// Sessions that came back after a planned end.
    package var returned = 0
    /// Attempts that were repeated.
    package var retries = 0
    /// Gaps, resets and errors from the server, by their content.
    package var complaints: [String: Int] = [:]
    /// Received publications by stream; only those that were due since the measurement began.
    package var frames = Array(repeating: 0, count: Marker.maximumStreams)
    /// WebSocket messages of any kind, and their bytes.
    package var messages = 0
    package var bytes = 0

    package init() {}

    package var failed: Int { failures.values.reduce(0, +) }

    package static func += (sum: inout SessionCounts, other: SessionCounts) {
        sum.underway += other.underway
        sum.ready += other.ready
        sum.failures.merge(other.failures, uniquingKeysWith: +)
        sum.losses.merge(other.losses, uniquingKeysWith: +)
        sum.returned += other.returned
        sum.retries += other.retries
        sum.complaints.merge(other.complaints, uniquingKeysWith: +)
        for index in sum.frames.indices { sum.frames[index] += other.frames[index] }
        sum.messages += other.messages
        sum.bytes += other.bytes
    }
}
