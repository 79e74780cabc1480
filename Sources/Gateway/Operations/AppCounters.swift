/// One app's share of a node's figures, or that of several apps together. From any thread.
final class AppCounters: Sendable {
    /// The figures' label; empty for the app without a name.
    let name: String
    /// The open live sessions after their hello.
    let sessions = Gauge()
    /// The events taken in.
    let events = Counter()
    /// The changes of inboxes that were committed.
    let changes = Counter()
    /// The push services' answers to pushes.
    let verdicts = VerdictCounters()

    init(name: String) { self.name = name }
}
