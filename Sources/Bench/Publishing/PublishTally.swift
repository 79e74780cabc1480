/// The results of one stream's publications.
package struct PublishTally: Sendable {
    package internal(set) var sent = 0
    package internal(set) var accepted = 0
    /// Refused publications, by reason.
    package internal(set) var refusals: [String: Int] = [:]
    /// Failures to connect for publishing, by reason.
    package internal(set) var connectionFailures: [String: Int] = [:]
    /// Sent and not answered yet.
    package internal(set) var underway = 0
    /// Due, and not sent for lack of room.
    package internal(set) var waiting = 0
    /// From the due time of an accepted publication to its answer.
    package internal(set) var answers = Latencies()
    /// From the due time of a publication that still waits, to the last moment of sending.
    package internal(set) var waits = Latencies()
    /// From the due time of an unanswered publication until now.
    package internal(set) var silences = Latencies()

    package init() {}

    package var refused: Int { refusals.values.reduce(0, +) }
}
