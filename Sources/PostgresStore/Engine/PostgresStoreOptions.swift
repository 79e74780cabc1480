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
    /// How many inboxes' positions are remembered for clients that come back or poll.
    package var rememberedInboxes = 100_000
    /// How many bytes their last changes may take.
    package var rememberedChangeBytes = 64 << 20

    package init(_ rules: StoreOptions) { self.rules = rules }
}
