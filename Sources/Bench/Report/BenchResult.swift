/// The measurements of a run.
package struct BenchResult: Sendable, Encodable {
    package struct Machine: Sendable, Encodable {
        package var cores: Int
        package var kernel: String
    }

    package struct Sessions: Sendable, Encodable {
        package var wanted: Int
        /// The number of ready sessions when the measurement began.
        package var measured: Int
        /// The number of ready sessions at the end of the measurement.
        package var ready: Int
        package var failures: [String: Int]
        package var losses: [String: Int]
        package var complaints: [String: Int]
        package var retries: Int
        /// The time until all were ready, or no more of them came.
        package var openingSeconds: Double
        package var opening: Times?
        /// The number of sessions that came back; below, the time until the last one was back, and each one's time.
        package var returned: Int
        /// Nil if sessions come and go all the time, or none does.
        package var expectedReturns: Int?
        /// Nil if not all are back.
        package var returnSeconds: Double?
        package var returns: Times?
    }

    package struct Stream: Sendable, Encodable {
        package var name: String
        /// Whether publications are answered. Without answers, a lost connection is not opened again either.
        package var isAnswered: Bool
        package var sent: Int
        package var accepted: Int
        /// Due, and never sent because earlier ones were not answered.
        package var unsent: Int
        /// Sent, and neither accepted nor refused.
        package var unanswered: Int
        package var acceptedPerSecond: Double
        package var refusals: [String: Int]
        /// The number of failures to connect for publishing, by reason.
        package var connectionFailures: [String: Int]
        /// The number of deliveries that should come; nil if it is unknown.
        package var expectedFrames: Int?
        package var frames: Int
        package var framesPerSecond: Double
        /// From the time at which a publication was due.
        package var answer: Times?
        package var delivery: Times?
        package var ack: Times?

        package var lostFrames: Int { expectedFrames.map { max(0, $0 - frames) } ?? 0 }
        package var surplusFrames: Int { expectedFrames.map { max(0, frames - $0) } ?? 0 }
    }

    package struct Server: Sendable, Encodable {
        package var pid: Int32
        /// During the measurement.
        package var cpuSeconds: Double
        package var cores: Double
        /// For the whole machine.
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
    /// The time of its end, ISO 8601.
    package var date: String
    package var machine: Machine
    package var parameters: [BenchPlan.Parameter]
    /// The length of the measurement.
    package var seconds: Double
    /// Whether a person ended it early.
    package var wasInterrupted: Bool
    /// Whether it ended early, because it waited for frames that did not come.
    package var hasStalled: Bool
    package var sessions: Sessions?
    package var streams: [Stream]
    package var pushes: Pushes?
    package var server: Server?
    /// CPU of the load tool's own processes, in cores. Near one core for each of its threads, the tool measures itself.
    package var toolCores: Double
    package var timeline: [Second]
    /// Hints for a reader of the figures.
    package var notes: [String]

    /// Whether everything expected came, nothing was refused, and all sessions opened. Unsent publications are allowed:
    /// they only show that a server is slower than the rate.
    package var isWell: Bool {
        guard !hasStalled, streams.allSatisfy(isComplete), pushes.map(isComplete) ?? true else { return false }
        guard let sessions else { return true }
        // If the run was ended while sessions opened, only those that were under way are expected.
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
