import GRDB
import Inbox
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

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

    @Test func `a commit without room is tried once more when the log has given its own back`() async throws {
        let (failures, epochs) = (Failures(), LongEpochs(1))
        let configure: StoreFixture.Configuration = {
            ($0.onFailure, $0.makeEpoch) = (failures.add, { epochs.next() })
        }
        try await withStore(configure) { fixture in
            await fixture.limitPages("1")
            try await fixture.say("hi", to: .ada)
            #expect(failures.all == [])
            #expect(epochs.left == 0)
            #expect(try await fixture.texts(of: .ada) == ["hi"])
            #expect(fixture.told(to: .ada).count == 1)
        }
    }

    @Test func `a disk that stays full is not asked again at every write`() async throws {
        let (failures, epochs) = (Failures(), LongEpochs(9))
        let configure: StoreFixture.Configuration = {
            ($0.onFailure, $0.makeEpoch, $0.reliefPause) = (failures.add, { epochs.next() }, .seconds(3_600))
        }
        try await withStore(configure) { fixture in
            await fixture.limitPages("1")
            for left in [7, 6, 5] {
                await #expect(throws: StoreError.diskFull) { try await fixture.say("hi", to: .ada) }
                #expect(epochs.left == left)
            }
            #expect(failures.all == [.diskFull, .diskFull, .diskFull])
        }
    }

    @Test func `of the writes that share a commit each has its turn on a full disk`() async throws {
        let failures = Failures()
        let configure: StoreFixture.Configuration = { $0.onFailure = failures.add }
        try await withStore(configure) { fixture in
            await fixture.limitPages("1")
            let texts = [String(repeating: "x", count: 100_000), "hi"]
            let answers = try await fixture.publishTogether(
                texts.map { text in
                    Publication(
                        publisher: "backend", entries: [try fixture.entry("said", text, to: [.ada])], now: .at(0))
                })
            #expect(answers.map { (try? $0.get()) != nil } == [false, true])
            #expect(failures.all == [.diskFull])
            #expect(try await fixture.texts(of: .ada) == ["hi"])
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

/// Draws epochs that are too long for a full disk, and then some that are not.
private final class LongEpochs: Sendable {
    private let number: Mutex<Int>

    init(_ number: Int) { self.number = Mutex(number) }

    /// How many are to come that are too long.
    var left: Int { number.withLock { max(0, $0) } }

    func next() -> String {
        let isLong = number.withLock { number in
            number -= 1
            return number >= 0
        }
        return isLong ? String(repeating: "x", count: 1_000_000) : "epoch"
    }
}

private final class Failures: Sendable {
    private let list = Mutex<[StoreError]>([])

    var all: [StoreError] { list.withLock { $0 } }
    func add(_ error: StoreError) { list.withLock { $0.append(error) } }
}

extension StoreFixture {
    /// How many pages the file may have for the connection that writes: SQLite answers the next one as it does a full
    /// disk.
    fileprivate func limitPages(_ number: String) async {
        await withCheckedContinuation { continuation in
            sqlite.withIdleWriter { db in
                #expect(throws: Never.self) { _ = try Row.fetchAll(db, sql: "PRAGMA max_page_count = \(number)") }
                continuation.resume()
            }
        }
    }
}
