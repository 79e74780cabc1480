import Inbox
import Synchronization
import WireProtocol

/// How many requests one user, or one address, may make within ten seconds; shared by all shards.
final class RequestRate: Sendable {
    /// Shards wait for each other only if their clients are in the same part.
    private static let parts = 16
    private static let placesPerPart = 2_048
    private static let spanSeconds: Int64 = 10

    private final class Part: Sendable {
        let table = Mutex(RateTable(places: placesPerPart))
    }

    private let parts: [Part]
    private let limit: Int
    /// So that nobody can choose whose counter an address shares.
    private let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    /// - Parameter limit: 0 for no limit; then nothing is counted.
    init(limit: Int) {
        self.limit = limit
        parts = limit > 0 ? (0..<Self.parts).map { _ in Part() } : []
    }

    /// Counts one more request of an address.
    ///
    /// - Returns: nil if the request may be served; otherwise after how many seconds to come again.
    func refuse(_ address: IPAddress, at now: Timestamp) -> Int? {
        guard limit > 0 else { return nil }
        // A product that mixes all bits of both words, at a tenth of the cost of the library's hash.
        let product = (address.high ^ seeds.0).multipliedFullWidth(by: address.low ^ seeds.1)
        return refuse(hash: Int(bitPattern: UInt(product.high ^ product.low)), at: now)
    }

    /// Counts one more request of a client with this hash, which nobody can choose.
    func refuse(hash: Int, at now: Timestamp) -> Int? {
        guard limit > 0 else { return nil }
        let seconds = now.milliseconds / 1_000
        let span = UInt32(truncatingIfNeeded: seconds / Self.spanSeconds)
        let part = parts[Int(UInt(bitPattern: hash) >> 60)]
        guard part.table.withLock({ $0.count(hash, in: span) }) > limit else { return nil }
        return Int(Self.spanSeconds - seconds % Self.spanSeconds)
    }
}
