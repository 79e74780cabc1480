import Storage
import Testing

struct FeedTests {
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
            let page = try await fixture.store.items(of: "posts", after: first)
            #expect(texts(page) == ["2", "3"])
            #expect(page.items.map(\.offset) == [2, 3])
            #expect((page.head, page.isComplete) == (head, true))
            let end = try await fixture.store.items(of: "posts", after: head)
            #expect((end.items.count, end.isComplete) == (0, true))
        }
    }

    @Test func `who asks for no place gets the head alone`() async throws {
        try await withStore { fixture in
            let nothing = try await fixture.store.items(of: "posts", after: nil)
            #expect((nothing.items.count, nothing.head.offset, nothing.isComplete) == (0, 0, true))
            let head = try await fixture.store.append("1", to: "posts")
            let page = try await fixture.store.items(of: "posts", after: nil)
            #expect((page.items.count, page.head, page.isComplete) == (0, head, true))
            // Who saw the feed empty has missed its first item.
            let since = try await fixture.store.items(of: "posts", after: nothing.head)
            #expect((texts(since), since.isComplete) == (["1"], true))
        }
    }

    @Test func `a place of another epoch, of the future or too far back gets the newest items`() async throws {
        try await withStore { fixture in
            var head = FeedPosition(epoch: "", offset: 0)
            for number in 1...5 { head = try await fixture.store.append("\(number)", to: "posts") }
            for position in [
                FeedPosition(epoch: "elsewhere", offset: 2), .init(epoch: head.epoch, offset: 6),
                .init(epoch: head.epoch, offset: 1),
            ] {
                let page = try await fixture.store.items(of: "posts", after: position, limit: 3)
                #expect((texts(page), page.isComplete) == (["3", "4", "5"], false))
            }
            #expect(try await fixture.store.items(of: "unknown", after: head).isComplete == false)
        }
    }

    @Test func `a feed keeps its newest items, and a gap is told`() async throws {
        let configure: StoreFixture.Configuration = { $0.feedLength = 8 }
        try await withStore(configure) { fixture in
            var head = FeedPosition(epoch: "", offset: 0)
            for number in 1...20 { head = try await fixture.store.append("\(number)", to: "posts") }
            let kept = try await fixture.store.items(of: "posts", after: .init(epoch: head.epoch, offset: 12))
            #expect((kept.items.count, kept.isComplete) == (8, true))
            let trimmed = try await fixture.store.items(of: "posts", after: .init(epoch: head.epoch, offset: 1))
            #expect((trimmed.items.count, trimmed.isComplete) == (8, false))
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
