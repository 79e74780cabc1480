import Synchronization

/// How many requests one user, or one address, may make within ten seconds: one for all shards.
final class RequestRate: Sendable {
    /// Shards wait for each other only where their clients are of the same part.
    private static let parts = 16
    private static let placesPerPart = 2_048
    private static let spanSeconds: Int64 = 10

    private final class Part: Sendable {
        let table = Mutex(RateTable(places: placesPerPart))
    }

    private let parts: [Part]
    private let limit: Int

    /// - Parameter limit: 0 for none; then nothing is counted.
    init(limit: Int) {
        self.limit = limit
        parts = limit > 0 ? (0..<Self.parts).map { _ in Part() } : []
    }

    /// Counts one more request.
    ///
    /// - Returns: nil where it may be served; else after how many seconds to come again.
    func refuse(_ client: some Hashable, at now: ContinuousClock.Instant) -> Int? {
        guard limit > 0 else { return nil }
        // Seeded anew in each process, so that nobody can choose whose place they share.
        let hash = client.hashValue
        let seconds = Self.seconds(at: now)
        let span = UInt32(truncatingIfNeeded: seconds / Self.spanSeconds)
        let part = parts[Int(UInt(bitPattern: hash) >> 60)]
        guard part.table.withLock({ $0.count(hash, in: span) }) > limit else { return nil }
        return Int(Self.spanSeconds - seconds % Self.spanSeconds)
    }

    private static let epoch = ContinuousClock().systemEpoch

    private static func seconds(at now: ContinuousClock.Instant) -> Int64 { (now - epoch).components.seconds }
}
