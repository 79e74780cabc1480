/// What became of one stream's publications.
package struct PublishTally: Sendable {
    package internal(set) var sent = 0
    package internal(set) var accepted = 0
    /// Those that the server has not taken, by reason.
    package internal(set) var refusals: [String: Int] = [:]
    /// How often one of the connections to publish on was not to be had, by reason.
    package internal(set) var connectionFailures: [String: Int] = [:]
    /// Sent and not answered yet.
    package internal(set) var underway = 0
    /// Due, and not sent because there is no room.
    package internal(set) var waiting = 0
    /// From a publication's moment to its answer, of those that were accepted.
    package internal(set) var answers = Latencies()
    /// From their moment to the last one at which any was sent, of those that are still waiting then.
    package internal(set) var waits = Latencies()
    /// From their moment until now, of those that are not answered.
    package internal(set) var silences = Latencies()

    package init() {}

    package var refused: Int { refusals.values.reduce(0, +) }
}
