/// What the process that runs a bench tells one that holds sessions for it: a line of JSON each, answered in order.
package enum WorkerOrder: Codable, Sendable {
    /// The first one. The credential goes through the pipe, where no list of processes shows it.
    case open(SessionPlan, Credential?)
    case measure(since: Int64)
    case comeBack(rate: Double?, isEndless: Bool)
    case stay
    case counts
    case tally
    case end
}
