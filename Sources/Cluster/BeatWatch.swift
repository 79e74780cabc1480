/// Whether a node hears the messages that it sends to itself with each beat.
///
/// A connection may be open and bring nothing: its server has lost power, or a proxy has passed it on.
struct BeatWatch {
    /// How long a node waits before it begins to listen anew.
    static let patience = Duration.seconds(5)

    /// When the first beat was sent of which nothing has been heard since.
    private var silentSince: ContinuousClock.Instant?

    mutating func sent(at now: ContinuousClock.Instant) { silentSince = silentSince ?? now }

    /// Some beat was heard.
    mutating func heard() { silentSince = nil }

    /// Whether it has been silent for too long. If so, the patience begins anew.
    mutating func isOver(at now: ContinuousClock.Instant) -> Bool {
        guard let silentSince, now - silentSince >= Self.patience else { return false }
        self.silentSince = nil
        return true
    }
}
