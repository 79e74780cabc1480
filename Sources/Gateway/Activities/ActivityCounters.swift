import Push

/// What became of one service's pushes to Live Activities. From any thread.
final class ActivityCounters: Sendable {
    let provider: Device.Provider
    let sent = Counter()
    /// Tries that were not accepted.
    let failed = Counter()

    init(_ provider: Device.Provider) { self.provider = provider }
}
