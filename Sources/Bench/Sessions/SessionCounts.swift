/// How sessions stand at one moment; what several shards and workers have can be added up.
package struct SessionCounts: Codable, Sendable, Hashable {
    /// Sessions that were told to open, or to come back, and are neither ready nor given up.
    package var underway = 0
    package var ready = 0
    /// Given up, by reason.
    package var failures: [String: Int] = [:]
    /// Ends of sessions that were ready and were not told to go, by reason.
    package var losses: [String: Int] = [:]
    /// Sessions that came back after they were told to go.
    package var returned = 0
    /// Attempts that were repeated.
    package var retries = 0
    /// Frames that tell of others which the server left out, and errors, by what they say.
    package var complaints: [String: Int] = [:]
    /// Publications that came, by stream: only those that were due since measuring began.
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
