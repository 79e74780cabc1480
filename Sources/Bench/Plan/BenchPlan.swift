/// The plan of one run.
package struct BenchPlan: Sendable {
    /// Sessions that vanish and reconnect during the measurement.
    package struct Storm: Sendable {
        /// Sessions a second; nil for all at once.
        package var rate: Double?
        /// Whether it starts over after the last session, until the run ends; if false, the run ends when all are back.
        package var isEndless: Bool

        package init(rate: Double?, isEndless: Bool) {
            (self.rate, self.isEndless) = (rate, isEndless)
        }
    }

    /// The name of the run, which is the command's.
    package var name: String
    /// Nil for a run of publications only.
    package var sessions: SessionPlan?
    package var streams: [PublishPlan] = []
    package var storm: Storm?
    /// The length of the measurement; the time limit of a storm that is not endless.
    package var duration: Duration
    /// How long it waits for the rest after the last publication. The wait goes on while something comes.
    package var patience = Duration.seconds(3)
    package var serverPID: Int32?
    /// The command's effective options, for the report. No secrets.
    package var parameters: [Parameter] = []

    package struct Parameter: Sendable, Encodable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package init(name: String, duration: Duration) {
        (self.name, self.duration) = (name, duration)
    }
}
