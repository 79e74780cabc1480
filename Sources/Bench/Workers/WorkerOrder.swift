/// An order of the process that runs a bench to one that holds sessions: a line of JSON each, answered in order.
package enum WorkerOrder: Codable, Sendable {
    /// The first order. The credential goes through the pipe, so that no list of processes shows it.
    case open(SessionPlan, Credential?)
    case measure(since: Int64)
    case comeBack(rate: Double?, isEndless: Bool)
    case stay
    case counts
    case tally
    case end
}
