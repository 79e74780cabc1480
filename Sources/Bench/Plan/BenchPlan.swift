/// Everything that one run does.
package struct BenchPlan: Sendable {
    /// Sessions that vanish and come back while the run measures.
    package struct Storm: Sendable {
        /// Sessions a second; nil for all at once.
        package var rate: Double?
        /// Begins again with the first after the last, until the run is over; else the run is over when all are back.
        package var isEndless: Bool

        package init(rate: Double?, isEndless: Bool) {
            (self.rate, self.isEndless) = (rate, isEndless)
        }
    }

    /// What the run is called, as the command is.
    package var name: String
    /// Nil for publications alone.
    package var sessions: SessionPlan?
    package var streams: [PublishPlan] = []
    package var storm: Storm?
    /// Where pushes are counted, an address of Belfry's metrics, while they are sent; nil for none.
    package var pushMetrics: String?
    /// How long it measures; a storm that is not endless may take as long as this.
    package var duration: Duration
    /// How long it waits, after nothing is published any more, for what is still to come: as long as something comes.
    package var patience = Duration.seconds(3)
    package var serverPID: Int32?
    /// The command's options as they hold, for the report. No secrets.
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
