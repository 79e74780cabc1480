/// Hints for a reader of a run's figures.
struct RunNotes {
    /// The number of other processes that hold sessions.
    var workers: Int
    /// The shards of each process that holds sessions; nil for a run without sessions.
    var shards: Int?
    var isServerGone: Bool
    /// See ``RunRecord``.
    var metricsProblem: String?

    func notes(on result: BenchResult) -> [String] {
        var notes: [String] = []
        if result.wasInterrupted { notes.append("The run was ended early.") }
        let threads = Double(1 + (shards ?? 0) * max(1, workers))
        // A measurement of less than a second does not tell this.
        if result.seconds >= 1, result.toolCores > 0.8 * min(threads, Double(result.machine.cores)) {
            notes.append("The load tool itself was short of CPU: times and rates are partly its own. Try --processes.")
        }
        for stream in result.streams where stream.unsent > 0 {
            notes.append(
                """
                \(stream.name): \(stream.unsent) publications were due and never sent, for want of answers to earlier ones. \
                \(stream.expectedFrames == nil ? "The times to the answer" : "Times") have them with as long as they had \
                waited by then, which is too short: the rate, or the number of publishers, is not what this server can do.
                """)
        }
        for stream in result.streams where stream.unanswered > 0 {
            notes.append(
                """
                \(stream.name): \(stream.unanswered) publications were sent and never answered. The times to the answer have \
                them with as long as was waited for it.
                """
            )
        }
        notes += serverNotes(result)
        for stream in result.streams where stream.surplusFrames > 0 {
            notes.append("\(stream.name): \(stream.surplusFrames) deliveries came more than once.")
        }
        for stream in result.streams where stream.expectedFrames == nil {
            notes.append(
                "\(stream.name): sessions came and went, so nobody can tell how many deliveries there had to be.")
        }
        return notes
    }

    private func serverNotes(_ result: BenchResult) -> [String] {
        var notes: [String] = []
        if result.hasStalled {
            notes.append("What was in flight did not come, so that nothing more could leave: the run was ended early.")
        }
        if let count = result.sessions?.failures[RemoteSessions.endedReason] {
            notes.append("A worker process has ended by itself: no time tells of its \(count) sessions.")
        }
        if isServerGone { notes.append("The server's process has ended: its figures are the last ones before that.") }
        if let server = result.server, shards != nil, server.memoryAtEnd < server.memoryBefore {
            notes.append(
                "The server has less memory than before the first session: start it anew for a session's memory.")
        }
        if let metricsProblem { notes.append("Pushes could not be counted to the end: \(metricsProblem)") }
        if let pushes = result.pushes {
            let expected = result.streams.map(\.accepted).reduce(0, +)
            if pushes.accepted < expected {
                notes.append("Of \(expected) published events, \(pushes.accepted) became pushes that were accepted.")
            }
        }
        return notes
    }
}
