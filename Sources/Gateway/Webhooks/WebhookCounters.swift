/// What became of an endpoint's webhooks. From any thread.
final class WebhookCounters: Sendable {
    let sent = Counter()
    /// Tries that failed.
    let failed = Counter()
    /// As the store had it a moment ago.
    let waiting = Gauge()
    let dead = Gauge()
    /// 1 once the endpoint has said that it wants nothing more.
    let gone = Gauge()
}
