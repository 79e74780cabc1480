import Inbox
import SQLiteStore
import Store
import Support
import Testing

/// How a feed stores its items: stamps, ids, tags.
@Suite(.everyEngine) struct FeedItemStoreTests {
    private func item(_ text: String, id: String? = nil, tags: [String] = []) -> FeedItem {
        FeedItem(feed: "posts", json: Array(text.utf8), publishedAt: .at(0), id: id, tags: tags)
    }

    private func texts(_ page: FeedPage) -> [String] { page.items.map { String(decoding: $0.json, as: UTF8.self) } }

    @Test func `stamps rise from item to item, also when the clock stands still or goes back`() async throws {
        try await withStore { fixture in
            let items = (1...3).map { item("\($0)") }
            let first = try await fixture.store.append(items, to: "posts", at: .at(5))
            let second = try await fixture.store.append([item("4")], to: "posts", at: .at(2))
            let third = try await fixture.store.append([item("5")], to: "posts", at: .at(9))
            let stamps = (first + second + third).map(\.publishedAt)
            let expected: [Int64] = [0, 1, 2, 3, 4_000]
            #expect(stamps.map { $0.milliseconds - Timestamp.at(5).milliseconds } == expected)
            let page = try await fixture.store.items(of: "posts", .newest)
            #expect(page.items.map(\.publishedAt) == stamps)
            #expect(fixture.commits.flatMap(\.feeds).map(\.item.publishedAt) == stamps)
            let again = try await fixture.reopened()
            let fourth = try await again.store.append([item("6")], to: "posts", at: .at(1))
            #expect(fourth.map(\.publishedAt) == [.at(9) + .milliseconds(1)])
            await again.store.close()
        }
    }

    @Test func `an id is published once while the feed keeps its item`() async throws {
        try await withStore { fixture in
            let first = try await fixture.store.append([item("1", id: "a")], to: "posts", length: 4, at: .at(1))
            let batch = [item("2", id: "b"), item("3", id: "a"), item("4", id: "b"), item("5")]
            let second = try await fixture.store.append(batch, to: "posts", length: 4, at: .at(2))
            #expect(second.map(\.position.offset) == [2, 1, 2, 3])
            #expect(second.map(\.isNew) == [true, false, false, true])
            #expect(second[1].publishedAt == first[0].publishedAt)
            #expect(try await texts(fixture.store.items(of: "posts", .newest)) == ["1", "2", "5"])
            #expect(fixture.commits.flatMap(\.feeds).map(\.position.offset) == [1, 2, 3])
            // The same id elsewhere is another item.
            let elsewhere = FeedItem(feed: "users", json: [0x31], publishedAt: .at(3), id: "a")
            #expect(try await fixture.store.append([elsewhere], to: "users", at: .at(3)).map(\.isNew) == [true])
            for number in 6...9 {
                try await fixture.store.append([item("\(number)")], to: "posts", length: 4, at: .at(3))
            }
            let later = try await fixture.store.append([item("10", id: "a")], to: "posts", length: 4, at: .at(4))
            #expect((later[0].isNew, later[0].position.offset) == (true, 8))
        }
    }

    @Test func `a moment gets all that was published after it`() async throws {
        try await withStore { fixture in
            for second in [1, 3, 5] as [Int64] {
                try await fixture.store.append([item("\(second)")], to: "posts", at: .at(second))
            }
            for (moment, expected) in [
                (.at(0), ["1", "3", "5"]), (.at(1), ["3", "5"]), (.at(2), ["3", "5"]), (.at(5), []),
            ]
                as [(Timestamp, [String])]
            {
                #expect(try await texts(fixture.store.items(of: "posts", .afterTime(moment))) == expected)
            }
            #expect(try await fixture.store.items(of: "unknown", .afterTime(.at(0))).items.isEmpty)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `any moment is found, also in a feed that has let go of items`(seed: UInt64) async throws {
        try await withStore { fixture in
            var random = SeededRandom(seed: seed)
            var now = Timestamp(milliseconds: 1_000)
            for number in 0..<(9 + random.next(below: 40)) {
                now = now + .milliseconds(Int64(1 + random.next(below: 3)))
                try await fixture.store.append([item("\(number)")], to: "posts", length: 8, at: now)
            }
            let kept = try await fixture.store.items(of: "posts", .newest, limit: 100).items
            for moment in (kept[0].publishedAt.milliseconds - 2)...(now.milliseconds + 2) {
                let time = Timestamp(milliseconds: moment)
                let page = try await fixture.store.items(of: "posts", .afterTime(time), limit: 100)
                #expect(page.items == kept.filter { $0.publishedAt > time })
                // Each moment marks a feed for a person of its own: marks never go back.
                let person = try #require(UserID("at-\(moment)"))
                let mark = try await fixture.store.markViewed("posts", upTo: .time(time), by: person)
                #expect(mark.viewed == kept.last(where: { $0.publishedAt <= time })?.offset ?? 0)
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `pages by any of several tags hold just the items that a search through all of them finds`(
        seed: UInt64
    ) async throws {
        try await withStore { fixture in
            var random = SeededRandom(seed: seed)
            let names = ["post", "cat", "rare"]
            var all: [[String]] = []
            for number in 0..<60 {
                let tags = names.filter { _ in random.next(below: 3) == 0 }
                all.append(tags)
                try await fixture.store.append([item("\(number)", tags: tags)], to: "posts", length: 24, at: .at(0))
            }
            let epoch = try await fixture.store.items(of: "posts", .head).head.epoch
            let kept = try await fixture.store.items(of: "posts", .newest, limit: 100).items.map { Int($0.offset) - 1 }
            for wanted in [["post"], ["cat", "rare"], ["unknown"], ["post", "post"]] {
                let limit = 1 + random.next(below: 5)
                let expected = kept.filter { !Set(all[$0]).isDisjoint(with: wanted) }.map { "\($0)" }
                var (found, place): ([String], Int64) = ([], Int64(kept[0]))
                while true {
                    let page = try await fixture.store.items(
                        of: "posts", .after(.init(epoch: epoch, offset: place)), tags: wanted, limit: limit)
                    #expect(page.isRecovered && page.items.count <= limit)
                    found += texts(page)
                    place = page.end
                    if page.isComplete { break }
                }
                #expect(found == expected)
                let newest = try await fixture.store.items(of: "posts", .newest, tags: wanted, limit: limit)
                #expect(texts(newest) == expected.suffix(limit))
                #expect(newest.hasOlder == (expected.count > limit))
            }
        }
    }

    @Test func `long items make a page shorter, and nothing is lost by it`() async throws {
        try await withStore { fixture in
            let long = String(repeating: "7", count: 100)
            try await fixture.store.append([item("1"), item(long), item(long), item("4")], to: "posts", at: .at(0))
            let epoch = try await fixture.store.items(of: "posts", .head).head.epoch
            var (place, pages): (Int64, [[Int64]]) = (0, [])
            repeat {
                let query = FeedQuery(.after(.init(epoch: epoch, offset: place)), limit: 9, maximumBytes: 101)
                let page = try #require(try await fixture.store.items(of: "posts", query, with: .open))
                pages.append(page.items.map(\.offset))
                place = page.end
            } while place < 4
            #expect(pages == [[1, 2], [3, 4]])
            let query = FeedQuery(.newest, limit: 9, maximumBytes: 1)
            let newest = try #require(try await fixture.store.items(of: "posts", query, with: .open))
            #expect(newest.items.map(\.offset) == [4])
            #expect(newest.hasOlder)
        }
    }
}
