import GRDB
import Inbox
import Synchronization
import Testing

@testable import Storage

struct DiskFullTests {
    @Test func `without room nothing is kept and everybody is told; with room the store goes on`() async throws {
        let failures = Failures()
        let configure: StoreFixture.Configuration = { $0.onFailure = failures.add }
        try await withStore(configure) { fixture in
            try await fixture.say("before", to: .ada)
            await fixture.limitPages("1")
            let long = String(repeating: "x", count: 100_000)
            await #expect(throws: StoreError.diskFull) { try await fixture.say(long, to: .ada) }
            #expect(failures.all == [.diskFull])
            #expect(try await fixture.texts(of: .ada) == ["before"])
            await fixture.limitPages("1000000")
            try await fixture.say("after", to: .ada)
            #expect(try await fixture.texts(of: .ada) == ["after", "before"])
            #expect(try await fixture.store.state(of: .ada).unread == 2)
        }
    }

    @Test func `a failure of the database is told once, an answer is not`() async throws {
        let failures = Failures()
        let epochs = Epochs()
        let configure: StoreFixture.Configuration = {
            ($0.onFailure, $0.makeEpoch) = (failures.add, { epochs.next() })
        }
        try await withStore(configure) { fixture in
            _ = try await fixture.publish(fixture.entry("said", to: [.bob], key: "k"))
            epochs.fail()  // no inbox can be made
            await #expect(throws: StoreError.self) { try await fixture.say("hi", to: .ada) }
            #expect(failures.all.count == 1)
            await #expect(throws: StoreError.keyReused(index: 0)) {
                try await fixture.publish(fixture.entry("said", to: [.bob], key: "k", fingerprint: 8))
            }
            #expect(failures.all.count == 1)
        }
    }
}

private final class Failures: Sendable {
    private let list = Mutex<[StoreError]>([])

    var all: [StoreError] { list.withLock { $0 } }
    func add(_ error: StoreError) { list.withLock { $0.append(error) } }
}

extension StoreFixture {
    /// How many pages the file may have for the connection that writes: SQLite answers the next one as it does a full disk.
    fileprivate func limitPages(_ number: String) async {
        await withCheckedContinuation { continuation in
            store.withIdleWriter { db in
                #expect(throws: Never.self) { _ = try Row.fetchAll(db, sql: "PRAGMA max_page_count = \(number)") }
                continuation.resume()
            }
        }
    }
}
