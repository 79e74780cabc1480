/// What one app has of a node's figures, or several apps that are counted together. From any thread.
final class AppCounters: Sendable {
    /// What the figures' label says; empty for the app without a name.
    let name: String
    /// The open live sessions after their hello.
    let sessions = Gauge()
    /// The events taken in.
    let events = Counter()
    /// The changes of inboxes that were committed.
    let changes = Counter()
    /// What push services have said to the pushes.
    let verdicts = VerdictCounters()

    init(name: String) { self.name = name }
}
