import Inbox
import Support
import Testing

struct FeedTipTests {
    /// The publishers of items; nil for an item without one.
    private static let authors: [String?] = ["a@x.org", "b@x.org", "c@x.org", nil]

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `the newest item by others is the one that a search through all items finds`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var tip = FeedTip()
        var items: [(place: FeedTip.Place, author: String?)] = []
        for _ in 0..<40 {
            let now = Timestamp(milliseconds: Int64(random.next(below: 20)))
            let place = FeedTip.Place(offset: Int64(items.count + 1), time: tip.nextStamp(at: now))
            #expect(items.last.map { $0.place.time < place.time } ?? true)
            #expect(place.time >= now)
            let author = Self.authors[random.next(below: seed.isMultiple(of: 2) ? 2 : 4)]
            tip.append(place, by: author)
            items.append((place, author))
            #expect(tip.newest == place)
            for name in ["a@x.org", "b@x.org", "c@x.org", "d@x.org"] {
                let newest = items.last { $0.author != name }?.place
                #expect(tip.newest(notBy: [name, "user-\(name)"]) == newest)
            }
        }
    }

    @Test func `an address is the same in capitals, a user id is not`() {
        var tip = FeedTip()
        tip.append(.init(offset: 1, time: .init(milliseconds: 1)), by: "Pete@X.org")
        #expect(tip.newest(notBy: ["pete@x.org"]) == nil)
        tip.append(.init(offset: 2, time: .init(milliseconds: 2)), by: "User-1")
        #expect(tip.newest(notBy: ["user-1"])?.offset == 2)
        #expect(tip.newest(notBy: ["User-1"])?.offset == 1)
    }
}
