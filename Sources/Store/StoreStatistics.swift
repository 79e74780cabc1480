package import Push

/// Figures of a store for its operator.
package struct StoreStatistics: Sendable, Hashable {
    /// How many pushes wait, at this moment.
    package var pushJobsByProvider: [Device.Provider: Int64]
    /// The last whole count of the rows. Nil while a large store is counted for the first time, or if a small one could
    /// not be counted.
    package var counts: StoreCounts?

    /// At this moment.
    package var remembered: RememberedChanges
    /// At this moment; nil where there is no outbox.
    package var outbox: OutboxFigures?

    package init(
        pushJobsByProvider: [Device.Provider: Int64], counts: StoreCounts?, remembered: RememberedChanges
    ) {
        self.pushJobsByProvider = pushJobsByProvider
        self.remembered = remembered
        self.counts = counts
    }

    package var pushJobs: Int64 { pushJobsByProvider.values.reduce(0, +) }
}
