import Storage
import Synchronization

/// The store's statistics for scrapes.
///
/// Counting takes as long as the store is large, so what it found is told again for ten times as long as it took: in a
/// small store every scrape is fresh, and in a large one counting keeps a reader busy for a tenth of the time at most.
final class StatisticsMemory: Sendable {
    private struct Reading {
        let statistics: StoreStatistics
        let freshUntil: ContinuousClock.Instant
    }

    private static let keptForTimesItsCost = 10

    private let store: any Store
    private let last = Mutex<Reading?>(nil)

    init(store: any Store) { self.store = store }

    /// Nil if the store could not tell.
    func read(at now: ContinuousClock.Instant, completion: @escaping @Sendable (StoreStatistics?) -> Void) {
        if let reading = last.withLock({ $0 }), now < reading.freshUntil { return completion(reading.statistics) }
        store.statistics { [self] result in
            guard case .success(let statistics) = result else { return completion(nil) }
            let end = ContinuousClock.now
            let reading = Reading(
                statistics: statistics, freshUntil: end + (end - now) * Self.keptForTimesItsCost)
            last.withLock { $0 = reading }
            completion(statistics)
        }
    }
}
