import Inbox
import SQLiteStore
import Store
import Testing

/// Commits that keep a distance.
@Suite struct PacedCommitTests {
    private let configure: StoreFixture.Configuration = { $0.commitInterval = .seconds(3_600) }

    @Test func `a write that comes too soon shares the next commit, which much work brings at once`() async throws {
        try await withStore(configure) { fixture in
            try await fixture.say("first", to: .ada)
            for number in 1...3 {
                let entry = try fixture.entry("said", "\(number)", to: [.ada])
                fixture.store.publish(Publication(publisher: "backend", entries: [entry], now: .at(0))) { _ in }
            }
            let crowd = (0..<300).map { UserID.user("user-\($0)") }
            let entry = try fixture.entry("said", "many", to: crowd)
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
            _ = try await withCheckedThrowingContinuation { waiting in
                fixture.store.publish(publication) { waiting.resume(with: $0) }
            }
            #expect(fixture.commits.map(\.inboxes.count) == [1, 303])
            #expect(try await fixture.texts(of: .ada) == ["3", "2", "1", "first"])
        }
    }

    @Test func `a store that closes writes what waits`() async throws {
        try await withStore(configure) { fixture in
            try await fixture.say("first", to: .ada)
            let entry = try fixture.entry("said", "second", to: [.ada])
            fixture.store.publish(Publication(publisher: "backend", entries: [entry], now: .at(0))) { _ in }
            let again = try await fixture.reopened()
            #expect(try await again.texts(of: .ada) == ["second", "first"])
            await again.store.close()
        }
    }
}
