import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct FeedTests {
    private func texts(_ page: FeedPage) -> [String] { page.items.map { String(decoding: $0.json, as: UTF8.self) } }

    @Test func `items count from one and are told in order`() async throws {
        try await withStore { fixture in
            let first = try await fixture.store.append("1", to: "posts")
            let second = try await fixture.store.append("2", to: "posts")
            let other = try await fixture.store.append("3", to: "query:42")
            #expect((first.offset, second.offset, other.offset) == (1, 2, 1))
            #expect(first.epoch == second.epoch)
            #expect(first.epoch != other.epoch)
            #expect(fixture.commits.flatMap(\.feeds).map(\.position) == [first, second, other])
        }
    }

    @Test func `names that only look alike are different feeds`() async throws {
        try await withStore { fixture in
            let kelvin = try await fixture.store.append("1", to: "\u{212A}")
            let letter = try await fixture.store.append("2", to: "K")
            #expect((kelvin.offset, letter.offset) == (1, 1))
            #expect(kelvin.epoch != letter.epoch)
        }
    }

    @Test func `a place in the feed gets all that came after it`() async throws {
        try await withStore { fixture in
            let first = try await fixture.store.append("1", to: "posts")
            try await fixture.store.append("2", to: "posts")
            let head = try await fixture.store.append("3", to: "posts")
            let page = try await fixture.store.items(of: "posts", .after(first))
            #expect(texts(page) == ["2", "3"])
            #expect(page.items.map(\.offset) == [2, 3])
            #expect((page.head, page.isComplete) == (head, true))
            let end = try await fixture.store.items(of: "posts", .after(head))
            #expect((end.items.count, end.isComplete) == (0, true))
        }
    }

    @Test func `a reader who asks for no place gets the head alone`() async throws {
        try await withStore { fixture in
            let nothing = try await fixture.store.items(of: "posts", .head)
            #expect((nothing.items.count, nothing.head.offset, nothing.isComplete) == (0, 0, true))
            let head = try await fixture.store.append("1", to: "posts")
            let page = try await fixture.store.items(of: "posts", .head)
            #expect((page.items.count, page.head, page.isComplete) == (0, head, true))
            // A reader who saw the feed empty has missed its first item.
            let since = try await fixture.store.items(of: "posts", .after(nothing.head))
            #expect((texts(since), since.isComplete) == (["1"], true))
        }
    }

    @Test func `a place of another epoch or of the future gets the newest items`() async throws {
        try await withStore { fixture in
            var head = FeedPosition(epoch: "", offset: 0)
            for number in 1...5 { head = try await fixture.store.append("\(number)", to: "posts") }
            let places = [
                FeedPosition(epoch: "elsewhere", offset: 2), .init(epoch: "", offset: 2), .init(epoch: "", offset: 0),
                .init(epoch: head.epoch, offset: 6),
            ]
            for place in places {
                for start in [.after(place), .newestAfter(place)] as [FeedQuery.Start] {
                    let page = try await fixture.store.items(of: "posts", start, limit: 3)
                    #expect((texts(page), page.isRecovered) == (["3", "4", "5"], false))
                    #expect((page.end, page.hasOlder) == (5, true))
                }
            }
            #expect(try await fixture.store.items(of: "unknown", .after(head)).isRecovered == false)
        }
    }

    @Test func `pages before an offset of another epoch begin with the newest`() async throws {
        try await withStore { fixture in
            var head = FeedPosition(epoch: "", offset: 0)
            for number in 1...5 { head = try await fixture.store.append("\(number)", to: "posts") }
            let known = try await fixture.store.items(of: "posts", .before(3, epoch: head.epoch))
            #expect((texts(known), known.isRecovered) == (["1", "2"], true))
            let other = try await fixture.store.items(of: "posts", .before(3, epoch: "elsewhere"), limit: 2)
            #expect((texts(other), other.isRecovered) == (["4", "5"], false))
        }
    }

    @Test func `a feed keeps its newest items, and a gap is told`() async throws {
        try await withStore { fixture in
            for number in 1...20 {
                let item = FeedItem(feed: "posts", json: Array("\(number)".utf8), publishedAt: .at(0))
                try await fixture.store.append([item], to: "posts", length: 8, at: .at(0))
            }
            let head = try await fixture.store.items(of: "posts", .head).head
            let kept = try await fixture.store.items(of: "posts", .after(.init(epoch: head.epoch, offset: 12)))
            #expect((kept.items.count, kept.isComplete, kept.isRecovered) == (8, true, true))
            let trimmed = try await fixture.store.items(of: "posts", .after(.init(epoch: head.epoch, offset: 1)))
            #expect((trimmed.items.count, trimmed.isRecovered) == (8, false))
        }
    }

    @Test func `a reader who missed more than a page gets the oldest first and goes on from its end`() async throws {
        try await withStore { fixture in
            let epoch = try await fixture.store.items(of: "posts", .head).head.epoch
            for number in 1...7 { try await fixture.store.append("\(number)", to: "posts") }
            var (place, pages): (Int64, [[String]]) = (1, [])
            while true {
                let page = try await fixture.store.items(
                    of: "posts", .after(.init(epoch: epoch, offset: place)), limit: 3)
                pages.append(texts(page))
                place = page.end
                if page.isComplete { break }
            }
            #expect(pages == [["2", "3", "4"], ["5", "6", "7"]])
        }
    }

    @Test func `the newest page leads back to the feed's beginning`() async throws {
        try await withStore { fixture in
            for number in 1...7 { try await fixture.store.append("\(number)", to: "posts") }
            var (start, pages): (FeedQuery.Start, [[String]]) = (.newest, [])
            while true {
                let page = try await fixture.store.items(of: "posts", start, limit: 3)
                pages.append(texts(page))
                guard page.hasOlder, let first = page.items.first else { break }
                start = .before(first.offset)
            }
            #expect(pages == [["5", "6", "7"], ["2", "3", "4"], ["1"]])
        }
    }

    @Test func `of what was missed the newest are told, and that there are older ones`() async throws {
        try await withStore { fixture in
            for number in 1...7 { try await fixture.store.append("\(number)", to: "posts") }
            let epoch = try await fixture.store.items(of: "posts", .head).head.epoch
            let all = try await fixture.store.items(of: "posts", .newestAfter(.init(epoch: epoch, offset: 4)), limit: 3)
            #expect((texts(all), all.hasOlder, all.isRecovered) == (["5", "6", "7"], false, true))
            let some = try await fixture.store.items(
                of: "posts", .newestAfter(.init(epoch: epoch, offset: 3)), limit: 3)
            #expect((texts(some), some.hasOlder, some.isRecovered) == (["5", "6", "7"], true, true))
        }
    }

    @Test func `a feed goes on where it was when the store is opened again`() async throws {
        try await withStore { first in
            let before = try await first.store.append("1", to: "posts")
            let second = try await first.reopened()
            let after = try await second.store.append("2", to: "posts")
            #expect(after == FeedPosition(epoch: before.epoch, offset: 2))
            await second.store.close()
        }
    }
}
