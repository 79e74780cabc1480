import Transport

/// What this process has done with rows of the outbox since its start. From any thread.
final class OutboxCounters: Sendable {
    /// Rows whose events are stored, repeated ones too.
    let published = Counter()
    /// Rows that have to be published again.
    let retries = Counter()
    let refused = Counter()
}
