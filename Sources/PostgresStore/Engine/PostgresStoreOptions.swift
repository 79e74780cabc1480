package import Postgres
package import Store

/// The settings of a ``PostgresStore`` beside its address.
package struct PostgresStoreOptions: Sendable {
    /// The settings of the rules.
    package var rules: StoreOptions
    /// What this process is called among those that share the store.
    package var node = "belfry"
    /// Called for each failure, before its caller is told: ``StoreError/unreachable(_:)``, ``StoreError/diskFull`` and
    /// ``StoreError/failed(code:message:)`` among others. On the store's queues: must not block.
    package var onFailure: @Sendable (StoreError) -> Void = { _ in }
    /// How many devices the store takes in.
    package var maximumDevices = Int64.max
    /// How many inboxes' counts a transaction keeps in memory until its end.
    package var inboxesPerTransaction = 50_000
    /// How this node hears of others' commits.
    package var wakeUps = WakeUps.listen(nil)
    /// How connections behave.
    package var connection = PostgresOptions()
    /// The database's clock, for the rules' `clock` and for pushes; the store keeps it right.
    package var clock = DatabaseClock()
    /// With more rows than this waiting, writes are refused: a few seconds of work.
    package var waitingRows = 50_000

    package init(_ rules: StoreOptions) {
        self.rules = rules
        connection.plansByIndexes = true
    }
}
