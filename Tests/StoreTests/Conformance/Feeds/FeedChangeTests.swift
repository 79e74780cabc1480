import Inbox
import SQLiteStore
import Store
import Support
import Testing

/// Changes and removals of items that a feed has.
@Suite(.everyEngine) struct FeedChangeTests {
    private func item(_ text: String, _ id: String?, by author: String? = nil, tags: [String] = []) -> FeedItem {
        FeedItem(feed: "posts", json: Array(text.utf8), publishedAt: .at(0), id: id, author: author, tags: tags)
    }

    /// A feed with the items a, b and c, at the offsets 1 to 3.
    private func withFeed(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            let items = [item("1", "a", tags: ["old"]), item("2", "b", by: "ada"), item("3", "c", by: "ada")]
            try await fixture.store.append(items, to: "posts", at: .at(1))
            try await body(fixture)
        }
    }

    /// Offset, what is changed, text.
    private func entries(_ page: FeedPage) -> [String] {
        page.items.map { item in
            let change =
                switch item.change {
                case .replaces(let target)?: " for \(target)"
                case .removes(let target)?: " without \(target), \(item.id ?? "-")"
                case nil: ""
                }
            return "\(item.offset)\(change): \(String(decoding: item.json, as: UTF8.self))"
        }
    }

    private func after(_ offset: Int64, _ fixture: StoreFixture, tags: [String] = [], limit: Int = 100) async throws
        -> FeedPage
    {
        let epoch = try await fixture.store.items(of: "posts", .newest).head.epoch
        let query = FeedQuery(.after(FeedPosition(epoch: epoch, offset: offset)), tags: tags, limit: limit)
        return try #require(try await fixture.store.items(of: "posts", query, with: .open))
    }

    // MARK: Replacing

    @Test func `a replaced item keeps its place, and whoever has it hears of it once`() async throws {
        try await withFeed { fixture in
            let receipt = try #require(try await fixture.store.replace(item("20", "b", by: "bob"), at: .at(5)))
            #expect((receipt.position.offset, receipt.isNew, receipt.change) == (4, true, .replaces(2)))
            #expect(try await entries(fixture.store.items(of: "posts", .newest)) == ["1: 1", "2: 20", "3: 3"])
            #expect(try await entries(after(0, fixture)) == ["1: 1", "2: 20", "3: 3"])
            #expect(try await entries(after(1, fixture)) == ["2: 20", "3: 3"])
            #expect(try await entries(after(2, fixture)) == ["3: 3", "4 for 2: 20"])
            #expect(try await entries(after(3, fixture)) == ["4 for 2: 20"])
            #expect(try await entries(after(4, fixture)) == [])
            let told = fixture.commits.flatMap(\.feeds)
            #expect(told.map(\.position.offset) == [1, 2, 3, 4])
            #expect(told.last?.item.change == .replaces(2))
            try await fixture.store.append([item("4", "d")], to: "posts", at: .at(5))
            #expect(try await entries(after(3, fixture)) == ["4 for 2: 20", "5: 4"])
        }
    }

    @Test func `a replacement of an item that has gone with time is not told, and counts as no damage`() async throws {
        try await withStore { fixture in
            for (number, id) in ["a", "b", "c", "d"].enumerated() {
                try await fixture.store.append([item("\(number)", id)], to: "posts", length: 4, at: .at(1))
            }
            _ = try await fixture.store.replace(item("10", "a"), length: 4, at: .at(2))
            try await fixture.store.append([item("5", "e")], to: "posts", length: 4, at: .at(3))
            #expect(try await entries(after(4, fixture)) == ["6: 5"])
            #expect(fixture.store.damagedRows == 0)
        }
    }

    @Test func `an item that was replaced twice, or has gone since, is told once`() async throws {
        try await withFeed { fixture in
            for text in ["20", "21"] { _ = try await fixture.store.replace(item(text, "b"), at: .at(5)) }
            _ = try await fixture.store.replace(item("10", "a"), at: .at(5))
            _ = try await fixture.store.remove("a", at: .at(6))
            #expect(try await entries(after(3, fixture)) == ["5 for 2: 21", "7 without 1, a: null"])
            #expect(try await entries(after(0, fixture)) == ["2: 21", "3: 3"])
        }
    }

    @Test func `saying the same again changes nothing, and another item of the id is told apart`() async throws {
        try await withFeed { fixture in
            let same = try #require(try await fixture.store.replace(item("2", "b"), at: .at(5)))
            #expect((same.position.offset, same.isNew) == (2, false))
            let receipts = try await fixture.store.append([item("2", "b"), item("x", "b")], to: "posts", at: .at(5))
            #expect(receipts.map(\.isNew) == [false, false])
            #expect(receipts.map(\.differs) == [false, true])
            #expect(fixture.commits.flatMap(\.feeds).count == 3)
            #expect(try await fixture.store.replace(item("x", "z"), at: .at(5)) == nil)
        }
    }

    // MARK: Removing

    @Test func `a removed item is nowhere, and its id may come again`() async throws {
        try await withFeed { fixture in
            let receipt = try #require(try await fixture.store.remove("b", at: .at(5)))
            #expect((receipt.position.offset, receipt.change) == (4, .removes(2)))
            #expect(try await entries(fixture.store.items(of: "posts", .newest)) == ["1: 1", "3: 3"])
            #expect(try await entries(after(3, fixture)) == ["4 without 2, b: null"])
            #expect(try await fixture.store.remove("b", at: .at(5)) == nil)
            let again = try await fixture.store.append([item("2", "b")], to: "posts", at: .at(5))
            #expect((again[0].position.offset, again[0].isNew) == (5, true))
        }
    }

    @Test func `new items are counted without changes and without removed ones`() async throws {
        try await withFeed { fixture in
            _ = try await fixture.store.replace(item("10", "a"), at: .at(5))
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 3)
            _ = try await fixture.store.remove("c", at: .at(5))
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 2)
            #expect(try await fixture.store.markViewed("posts", upTo: .head, by: .ada).newer == 0)
            _ = try await fixture.store.remove("b", at: .at(6))
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 0)
            let tip = try await fixture.store.summaries(of: [.init("posts")], for: .user(.ada)).summaries[0]?.tip
            #expect(tip?.newest?.offset == 1)
        }
    }

    @Test func `changes that have gone with time count for no new item`() async throws {
        try await withFeed { fixture in
            for number in 0..<20 {
                _ = try await fixture.store.replace(item("\(number)", "b"), length: 4, at: .at(5))
            }
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 3)
            _ = try await fixture.store.remove("a", at: .at(6))
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 2)
            let place = FeedMark.Place.time(.at(3))
            #expect(try await fixture.store.markViewed("posts", upTo: place, by: .ada).newer == 0)
        }
    }

    /// Items by these authors; which are removed, in this order; the newest then, and the newest by another author.
    private static let tips: [(authors: [String?], removed: [Int64], newest: Int64?, other: Int64?)] = [
        (["a", "b", "c"], [3], 2, 1), (["a", "b", "c"], [2], 3, 1), (["a", "b", "c"], [2, 1], 3, nil),
        (["a", "b", "b"], [3], 2, 1), (["a", "b", "b"], [1, 3], 2, nil), (["a", "b", "a", "c"], [3, 4], 2, 1),
        (["a", "b", "c"], [1, 2, 3], nil, nil), ([nil, nil, nil], [3, 1], 2, nil), (["a", "b", "a"], [2], 3, nil),
    ]

    @Test(arguments: tips.indices)
    func `the newest items are those that are left`(row: Int) async throws {
        let row = Self.tips[row]
        try await withStore { fixture in
            let items = row.authors.enumerated().map { item("\($0)", "\($0 + 1)", by: $1) }
            try await fixture.store.append(items, to: "posts", at: .at(1))
            for id in row.removed { _ = try await fixture.store.remove("\(id)", at: .at(2)) }
            for isReopened in [false, true] {
                let store = isReopened ? try await fixture.reopened().store : fixture.store
                let found = try await store.summaries(of: [.init("posts")], for: .user(.ada)).summaries[0]
                #expect((found?.tip.newest?.offset, found?.tip.other?.offset) == (row.newest, row.other), "\(row)")
                let head = try await store.items(of: "posts", .newest).head.offset
                #expect(head == Int64(row.authors.count + row.removed.count))
                if isReopened { await store.close() }
            }
        }
    }

    // MARK: Who was away

    /// A client that comes back at any time and applies what it gets has what the feed has, whatever became of the
    /// items.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `clients that were away have in the end what the feed has`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await withStore { fixture in
            var clients = [Follower(), Follower(), Follower()]
            for step in 0..<120 {
                let id = "\(UInt8.random(in: 0..<12, using: &random))"
                let now = Timestamp.at(Int64(step))
                switch UInt8.random(in: 0..<4, using: &random) {
                case 0, 1: try await fixture.store.append([item("\(step)", id)], to: "posts", at: now)
                case 2: _ = try await fixture.store.replace(item("\(step)", id), at: now)
                default: _ = try await fixture.store.remove(id, at: now)
                }
                let place = Int.random(in: 0..<9, using: &random)
                guard clients.indices.contains(place) else { continue }
                try await clients[place].fetch { try await after($0, fixture, limit: 3) }
            }
            let held = try await fixture.store.items(of: "posts", .newest).items
            let expected = Dictionary(uniqueKeysWithValues: held.map { ($0.offset, $0.json) })
            for place in clients.indices {
                try await clients[place].fetch { try await after($0, fixture, limit: 3) }
                #expect(clients[place].items == expected)
                #expect(clients[place].twice == 0)
            }
        }
    }

    private struct Follower {
        var items: [Int64: [UInt8]] = [:]
        var place: Int64 = 0
        /// How many items came that it had.
        var twice = 0

        mutating func fetch(_ page: (Int64) async throws -> FeedPage) async throws {
            while true {
                let page = try await page(place)
                for item in page.items {
                    switch item.change {
                    case .replaces(let target)?: if items[target] != nil { items[target] = item.json }
                    case .removes(let target)?: items[target] = nil
                    case nil: if items.updateValue(item.json, forKey: item.offset) != nil { twice += 1 }
                    }
                }
                place = page.end
                if page.isComplete { return }
            }
        }
    }

    @Test func `a place is known as long as nothing behind it was trimmed`() async throws {
        try await withFeed { fixture in
            for id in ["a", "b", "c"] { _ = try await fixture.store.remove(id, at: .at(5)) }
            #expect(try await after(0, fixture).isRecovered)
            for number in 7...12 {
                try await fixture.store.append([item("\(number)", nil)], to: "posts", length: 4, at: .at(6))
            }
            #expect(try await after(7, fixture).isRecovered == false)
            #expect(try await after(8, fixture).isRecovered)
            let reopened = try await fixture.reopened()
            #expect(try await after(7, reopened).isRecovered == false)
            await reopened.store.close()
        }
    }

    @Test func `changes take no item's room, and as many of them are known as the feed is long`() async throws {
        try await withFeed { fixture in
            for number in 0..<20 {
                _ = try await fixture.store.replace(item("\(number)", "b"), length: 4, at: .at(5))
            }
            #expect(try await entries(fixture.store.items(of: "posts", .newest)) == ["1: 1", "2: 19", "3: 3"])
            #expect(try await after(18, fixture).isRecovered == false)
            #expect(try await entries(after(22, fixture)) == ["23 for 2: 19"])
            _ = try await fixture.store.remove("c", at: .at(6))
            #expect(try await after(23, fixture).items.map(\.change) == [.removes(3)])
            for (number, id) in ["d", "e", "f"].enumerated() {
                try await fixture.store.append([item("\(number)", id)], to: "posts", length: 4, at: .at(7))
            }
            let last = ["2: 19", "25: 0", "26: 1", "27: 2"]
            #expect(try await entries(fixture.store.items(of: "posts", .newest)) == last)
            let reopened = try await fixture.reopened()
            #expect(try await entries(reopened.store.items(of: "posts", .newest)) == last)
            await reopened.store.close()
        }
    }

    @Test func `a client that goes by time gets each change once`() async throws {
        try await withFeed { fixture in
            let receipt = try #require(try await fixture.store.replace(item("20", "b"), at: .at(5)))
            #expect(try await entries(fixture.store.items(of: "posts", .afterTime(.at(3)))) == ["4 for 2: 20"])
            #expect(try await entries(fixture.store.items(of: "posts", .afterTime(receipt.publishedAt))) == [])
            let query = FeedQuery(.afterTime(.at(3)), limit: 9, tellsChanges: false)
            #expect(try await fixture.store.items(of: "posts", query, with: .open)?.items.isEmpty == true)
        }
    }

    @Test func `a follower of tags hears of items that have one of them, or had`() async throws {
        try await withFeed { fixture in
            _ = try await fixture.store.replace(item("10", "a", tags: ["new"]), at: .at(5))
            for tag in ["old", "new"] {
                #expect(try await entries(after(3, fixture, tags: [tag])) == ["4 for 1: 10"])
            }
            #expect(try await entries(after(3, fixture, tags: ["other"])) == [])
            #expect(try await entries(after(0, fixture, tags: ["new"])) == ["1: 10"])
            #expect(try await entries(after(0, fixture, tags: ["old"])) == [])
            #expect(fixture.commits.flatMap(\.feeds).last?.item.tags == ["new", "old"])
        }
    }
}

extension Store {
    func replace(_ item: FeedItem, length: Int = 10_000, at now: Timestamp) async throws -> FeedReceipt? {
        let publication = FeedPublication(feed: item.feed, items: [item], length: length, now: now)
        return try await withCheckedThrowingContinuation { waiting in
            replace(publication) { waiting.resume(with: $0) }
        }
    }

    func remove(_ id: String, from feed: String = "posts", at now: Timestamp) async throws -> FeedReceipt? {
        let publication = FeedPublication(feed: feed, items: [], now: now)
        return try await withCheckedThrowingContinuation { waiting in
            remove(item: id, publication) { waiting.resume(with: $0) }
        }
    }
}
