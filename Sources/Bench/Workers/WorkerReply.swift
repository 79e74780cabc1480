/// A message of a worker, a line of JSON each.
package enum WorkerReply: Codable, Sendable {
    case done
    case counts(SessionCounts)
    case tally(SessionTally)
    case failed(String)
    /// A report, not an answer: the number of received publications.
    case delivered(Int)
}
