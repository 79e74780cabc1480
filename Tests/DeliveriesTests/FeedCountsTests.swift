import Deliveries
import Inbox
import Support
import Testing

/// How many items are new, in feeds of which a part has gone with time.
struct FeedCountsTests {
    private struct Kept: FeedCounts {
        var items: Set<Int64> = []
        var changes: [Int64: FeedChange] = [:]

        func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) -> Int64 {
            Int64(items.count { $0 > offset && $0 <= end })
        }

        func countOfChanges(after offset: Int64, in feed: FeedRecord) -> (all: Int64, removals: Int64) {
            let behind = changes.filter { $0.key > offset }.values
            let removals = behind.count { if case .removes(let target) = $0 { target > offset } else { false } }
            return (Int64(behind.count), Int64(removals))
        }

        /// Lets changes up to an offset go, and items up to an earlier one.
        mutating func drop(itemsUpTo item: Int64, changesUpTo change: Int64) {
            items = items.filter { $0 > item }
            changes = changes.filter { $0.key > change }
        }

        func feed(trimmed: Int64) -> FeedRecord {
            func place(_ offset: Int64?) -> FeedTip.Place? {
                offset.map { FeedTip.Place(offset: $0, time: Timestamp(milliseconds: $0)) }
            }
            return FeedRecord(
                id: 1, epoch: "e", tip: FeedTip(newest: place(items.max())), change: place(changes.keys.max()),
                trimmed: trimmed)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `each item that is there counts once, and nothing else does`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var kept = Kept()
        let head = Int64.random(in: 1...40, using: &random)
        for offset in 1...head {
            let target = kept.items.sorted().randomElement(using: &random)
            switch (UInt8.random(in: 0..<4, using: &random), target) {
            case (0, let target?): kept.changes[offset] = .replaces(target)
            case (1, let target?):
                kept.changes[offset] = .removes(target)
                kept.items.remove(target)
            default: kept.items.insert(offset)
            }
        }
        let trimmed = Int64.random(in: 0..<head, using: &random)
        kept.drop(itemsUpTo: .random(in: 0...trimmed, using: &random), changesUpTo: trimmed)
        let feed = kept.feed(trimmed: trimmed)
        for viewed in 0...head {
            let expected = Int64(kept.items.count { $0 > viewed })
            #expect(try kept.newer(than: viewed, in: feed) == expected, "\(viewed)")
        }
    }
}
