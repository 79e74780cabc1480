import Inbox
import Synchronization
import WireProtocol

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
    /// Nobody can choose whose place an address shares.
    private let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    /// - Parameter limit: 0 for none; then nothing is counted.
    init(limit: Int) {
        self.limit = limit
        parts = limit > 0 ? (0..<Self.parts).map { _ in Part() } : []
    }

    /// Counts one more request of an address.
    ///
    /// - Returns: nil where it may be served; else after how many seconds to come again.
    func refuse(_ address: IPAddress, at now: Timestamp) -> Int? {
        guard limit > 0 else { return nil }
        // A product with all bits of both words in it, at a tenth of what the library's hash takes.
        let product = (address.high ^ seeds.0).multipliedFullWidth(by: address.low ^ seeds.1)
        return refuse(hash: Int(bitPattern: UInt(product.high ^ product.low)), at: now)
    }

    /// Counts one more request of a client with this hash, of which nobody can choose the place.
    func refuse(hash: Int, at now: Timestamp) -> Int? {
        guard limit > 0 else { return nil }
        let seconds = now.milliseconds / 1_000
        let span = UInt32(truncatingIfNeeded: seconds / Self.spanSeconds)
        let part = parts[Int(UInt(bitPattern: hash) >> 60)]
        guard part.table.withLock({ $0.count(hash, in: span) }) > limit else { return nil }
        return Int(Self.spanSeconds - seconds % Self.spanSeconds)
    }
}
