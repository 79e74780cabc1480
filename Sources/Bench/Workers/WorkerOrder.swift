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

/// With what tokens are made, for workers that make them too.
package struct Credential: Codable, Sendable, CustomStringConvertible {
    package var secret: String
    /// The server's configuration file, for the claims that it demands.
    package var config: String?

    package init(secret: String, config: String?) {
        (self.secret, self.config) = (secret, config)
    }

    package var description: String { "<secret>" }
}

/// What a worker says, a line of JSON each.
package enum WorkerReply: Codable, Sendable {
    case done
    case counts(SessionCounts)
    case tally(SessionTally)
    case failed(String)
    /// No answer: how many publications have come.
    case delivered(Int)
}
