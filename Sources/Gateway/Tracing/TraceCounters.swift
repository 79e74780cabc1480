/// What became of spans.
final class TraceCounters: Sendable {
    /// The collector has taken them.
    let sent = Counter()
    /// There was no room for them, or the collector did not take them.
    let dropped = Counter()
}
