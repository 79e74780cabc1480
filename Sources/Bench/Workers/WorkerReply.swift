/// What a worker says, a line of JSON each.
package enum WorkerReply: Codable, Sendable {
    case done
    case counts(SessionCounts)
    case tally(SessionTally)
    case failed(String)
    /// No answer: how many publications have come.
    case delivered(Int)
}
