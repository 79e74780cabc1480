/// What a run has measured.
package struct BenchResult: Sendable, Encodable {
    package struct Machine: Sendable, Encodable {
        package var cores: Int
        package var kernel: String
    }

    package struct Sessions: Sendable, Encodable {
        package var wanted: Int
        /// How many were ready when the measurement began.
        package var measured: Int
        /// At the end of the measurement.
        package var ready: Int
        package var failures: [String: Int]
        package var losses: [String: Int]
        package var complaints: [String: Int]
        package var retries: Int
        /// Until all were ready, or no more of them came.
        package var openingSeconds: Double
        package var opening: Times?
        /// How many came back, how long it took until the last was, and each one's time.
        package var returned: Int
        /// Nil where sessions come and go all the time, or none does.
        package var expectedReturns: Int?
        /// Nil where not all are back.
        package var returnSeconds: Double?
        package var returns: Times?
    }

    package struct Stream: Sendable, Encodable {
        package var name: String
        /// Where nothing is answered, a connection to publish on that is lost is not opened again either.
        package var isAnswered: Bool
        package var sent: Int
        package var accepted: Int
        /// Due, and never sent, because earlier ones were not answered.
        package var unsent: Int
        /// Sent, and neither accepted nor refused.
        package var unanswered: Int
        package var acceptedPerSecond: Double
        package var refusals: [String: Int]
        /// How often a connection to publish on was not to be had.
        package var connectionFailures: [String: Int]
        /// How many deliveries there had to be; nil where nobody can tell.
        package var expectedFrames: Int?
        package var frames: Int
        package var framesPerSecond: Double
        /// From the moment at which a publication was due.
        package var answer: Times?
        package var delivery: Times?
        package var ack: Times?

        package var lostFrames: Int { expectedFrames.map { max(0, $0 - frames) } ?? 0 }
        package var surplusFrames: Int { expectedFrames.map { max(0, frames - $0) } ?? 0 }
    }

    package struct Server: Sendable, Encodable {
        package var pid: Int32
        /// While it was measured.
        package var cpuSeconds: Double
        package var cores: Double
        /// Of the whole machine.
        package var softirqSeconds: Double
        package var cpuMicrosecondsPerFrame: Double?
        package var cpuMicrosecondsPerPublication: Double?
        package var cpuMicrosecondsPerReturn: Double?
        package var cpuMicrosecondsPerSessionSecond: Double?
        package var memoryBefore: Int64
        package var memoryWithSessions: Int64
        package var memoryAtEnd: Int64
        package var bytesPerSession: Double?
    }

    package struct Pushes: Sendable, Encodable {
        package var accepted: Int
        package var otherAnswers: Int
        package var perSecond: Double
    }

    /// About a second of the measurement, or a tenth of one while sessions open.
    package struct Second: Sendable, Encodable {
        /// Seconds since the run began to open sessions.
        package var time: Double
        package var sessions: Int
        package var framesPerSecond: Double
        package var acceptedPerSecond: Double
        package var serverCores: Double?
        package var serverMemory: Int64?
    }

    package var name: String
    package var version: String
    /// When it ended, ISO 8601.
    package var date: String
    package var machine: Machine
    package var parameters: [BenchPlan.Parameter]
    /// How long it measured.
    package var seconds: Double
    /// Whether somebody ended it early.
    package var wasInterrupted: Bool
    /// Whether it ended early because nothing came any more that had to before anything else could leave.
    package var hasStalled: Bool
    package var sessions: Sessions?
    package var streams: [Stream]
    package var pushes: Pushes?
    package var server: Server?
    /// CPU of the load tool's own processes, in cores: near a whole one for each of its threads, it measures itself.
    package var toolCores: Double
    package var timeline: [Second]
    /// What a reader of the figures should know.
    package var notes: [String]

    /// Whether everything came that had to, nothing was refused, and everybody was let in. What was due and never sent
    /// is as it should be where a server is merely slower than the rate.
    package var isWell: Bool {
        guard !hasStalled, streams.allSatisfy(isComplete), pushes.map(isComplete) ?? true else { return false }
        guard let sessions else { return true }
        // Who ends a run as it opens its sessions wants no more of them than were on their way.
        return sessions.failures.isEmpty && sessions.ready >= (wasInterrupted ? sessions.measured : sessions.wanted)
    }

    private func isComplete(_ stream: Stream) -> Bool {
        guard stream.lostFrames == 0, stream.accepted > 0, stream.refusals.isEmpty, stream.unanswered == 0 else {
            return false
        }
        return stream.connectionFailures.isEmpty || (stream.unsent == 0 && stream.isAnswered)
    }

    private func isComplete(_ pushes: Pushes) -> Bool {
        let expected = wasInterrupted ? 1 : streams.map(\.accepted).reduce(0, +)
        return pushes.accepted >= expected && pushes.otherAnswers == 0
    }
}
