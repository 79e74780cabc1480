import Dispatch
import GRDB
import Inbox
import JSON
import SQLiteStore
import Store
import Synchronization
import Testing

struct GroupCommitTests {
    @Test func `writes that wait together are one commit, told in each person's order before the answers`() async throws
    {
        try await withStore { fixture in
            let answers = Answers()
            try await fixture.whileHeld {
                for number in 1...100 {
                    let entry = try fixture.entry("said", "\(number)", to: number % 2 == 0 ? [.ada] : [.ada, .bob])
                    let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
                    fixture.store.publish(publication) { [weak fixture] _ in
                        answers.add(toldBefore: fixture?.commits.count ?? 0)
                    }
                }
            }
            #expect(try await fixture.store.state(of: .cleo).seq == 0)  // comes after all of them
            #expect(fixture.commits.map(\.inboxes.count) == [150])
            #expect(fixture.told(to: .ada).map(\.stamp.seq) == Array(1...100))
            #expect(fixture.told(to: .bob).map(\.stamp.unread) == Array(1...50))
            #expect(answers.toldBefore == Array(repeating: 1, count: 100))
        }
    }

    @Test func `a commit holds no more rows than it may`() async throws {
        let configure: StoreFixture.Configuration = { $0.rowsPerCommit = 20 }
        try await withStore(configure) { fixture in
            try await fixture.whileHeld {
                for _ in 1...30 {
                    let entry = try fixture.entry("said", to: [.ada])
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { _ in }
                }
            }
            while fixture.store.waitingRows > 0 { await Task.yield() }
            #expect(try await fixture.store.state(of: .cleo).seq == 0)
            #expect(fixture.commits.map(\.inboxes.count) == [10, 10, 10])
        }
    }

    @Test func `what a publisher does to its events comes behind them, however much waits`() async throws {
        let configure: StoreFixture.Configuration = { $0.rowsPerCommit = 20 }
        try await withStore(configure) { fixture in
            let catalogs = try CatalogSet([fixture.catalog])
            let (retractions, told) = AsyncStream.makeStream(of: Result<Retraction?, StoreError>.self)
            try await fixture.whileHeld {
                for number in 1...30 {
                    let entry = try fixture.entry("said", to: [.ada], key: "k\(number)")
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { _ in }
                }
                fixture.store.retract(key: "k30", by: "b", catalogs: catalogs, at: .at(1)) { told.yield($0) }
            }
            let first = await retractions.first { _ in true }
            #expect(try first?.get()?.removed == 1)
        }
    }

    @Test func `a commit ends where the members of topics make it long`() async throws {
        let configure: StoreFixture.Configuration = { $0.rowsPerCommit = 20 }
        try await withStore(configure) { fixture in
            let users = (0..<15).map { UserID.user("user-\($0)") }
            try await fixture.store.replaceMembers(of: "room", with: users)
            let results = Results()
            try await fixture.whileHeld {
                for _ in 1...5 {
                    let event = Event(
                        type: "said", to: [.init(name: "people", topics: ["room"])], data: ["text": "hi"])
                    let publication = Publication(publisher: "b", entries: [try fixture.entry(event)], now: .at(0))
                    fixture.store.publish(publication) { results.add($0) }
                }
            }
            #expect(try await fixture.store.state(of: .cleo).seq == 0)
            #expect(results.created == [15, 15, 15, 15, 15])
            #expect(fixture.commits.map(\.inboxes.count) == [30, 30, 15])
        }
    }

    @Test func `a statement that failed for one person works for the next`() async throws {
        try await withStore { fixture in
            try await fixture.say("hello", to: .ada, .bob, .cleo)
            let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await other.write { db in
                try db.execute(
                    sql: """
                        CREATE TRIGGER refusal BEFORE INSERT ON change
                        WHEN NEW.inbox = (SELECT id FROM inbox WHERE user = 'bob') BEGIN SELECT RAISE(ABORT, 'no'); END
                        """)
            }
            try other.close()
            let counts = Mutex<[Int64?]>([])
            try await fixture.whileHeld {
                for user in [UserID.ada, .bob, .cleo] {
                    fixture.store.apply(.read(.upTo(9)), for: user, at: .at(1)) { result in
                        counts.withLock { $0.append(try? result.get().count) }
                    }
                }
            }
            try await fixture.store.apply(.read(.upTo(9)), for: .ada)
            #expect(counts.withLock { $0 } == [1, nil, 1])
        }
    }

    @Test func `writes are refused together, after one wait, while another tool holds the database`() async throws {
        let configure: StoreFixture.Configuration = { $0.lockTimeout = .milliseconds(100) }
        try await withStore(configure) { fixture in
            try await fixture.say("hello", to: .ada)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite", configuration: configuration)
            let results = Results()
            let (answers, continuation) = AsyncStream.makeStream(of: Result<[PublishOutcome], StoreError>.self)
            try await fixture.whileHeld {
                try other.unsafeReentrantWrite { db in try db.execute(sql: "BEGIN IMMEDIATE") }
                for _ in 1...3 {
                    let entry = try fixture.entry("said", to: [.ada])
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { result in
                        continuation.yield(result)
                        // Whichever were tried once more, alone, would find the database free.
                        other.unsafeReentrantWrite { db in
                            do { if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") } } catch {
                                Issue.record(error)
                            }
                        }
                    }
                }
            }
            for await result in answers.prefix(3) { results.add(result) }
            try await fixture.say("there again", to: .ada)
            #expect(results.created == [nil, nil, nil])
            guard case .failed(code: 5, _) = results.firstError else {
                Issue.record("not SQLITE_BUSY")
                return
            }
            #expect(try await fixture.texts(of: .ada) == ["there again", "hello"])
        }
    }

    @Test func `a write that fails takes none of its neighbours along`() async throws {
        let epochs = Epochs()
        let configure: StoreFixture.Configuration = { $0.makeEpoch = { epochs.next() } }
        try await withStore(configure) { fixture in
            for user in [UserID.ada, .bob] { _ = try await fixture.store.state(of: user) }
            let results = Results()
            try await fixture.whileHeld {
                epochs.fail()  // the database refuses an inbox without an epoch, so cleo's cannot be made
                for users in [[UserID.ada], [.ada, .cleo], [.bob], [.cleo], [.ada, .bob]] {
                    let entry = try fixture.entry("said", to: users)
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) {
                        results.add($0)
                    }
                }
            }
            try await fixture.store.apply(.read(.ids([])), for: .ada)
            #expect(results.created == [1, nil, 1, nil, 2])
            guard case .failed(let code, let message) = results.firstError else {
                Issue.record("not a failure of the database")
                return
            }
            #expect(code % 256 == 19)  // SQLITE_CONSTRAINT
            #expect(!message.contains("cleo"))
            #expect(fixture.told(to: .ada).map(\.stamp.seq) == [1, 2])
            #expect(try await fixture.store.state(of: .ada).unread == 2)
            #expect(try await fixture.store.state(of: .bob).unread == 2)
            #expect(try await fixture.statistics().unreadDrift == 0)
            epochs.mend()
            try await fixture.say("now", to: .cleo)
            #expect(try await fixture.texts(of: .cleo) == ["now"])
        }
    }

    @Test func `a refused key leaves its neighbours in the same commit`() async throws {
        try await withStore { fixture in
            let results = Results()
            try await fixture.whileHeld {
                for fingerprint in [UInt64(1), 2, 1] {
                    let entry = try fixture.entry("said", to: [.ada], key: "k", fingerprint: fingerprint)
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) {
                        results.add($0)
                    }
                }
            }
            #expect(try await fixture.store.state(of: .cleo).seq == 0)
            #expect(results.created == [1, nil, 1])
            #expect(results.firstError == .keyReused(index: 0))
            #expect(fixture.commits.map(\.inboxes.count) == [1])
        }
    }

    @Test func `more writes than may wait are refused at once`() async throws {
        let configure: StoreFixture.Configuration = { $0.waitingRows = 10 }
        try await withStore(configure) { fixture in
            let results = Results()
            let (done, finish) = AsyncStream.makeStream(of: Void.self)
            try await fixture.whileHeld {
                for _ in 1...8 {
                    let entry = try fixture.entry("said", to: [.ada])
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { result in
                        results.add(result)
                        finish.yield()
                    }
                }
                #expect(results.created == [nil, nil, nil])  // each is two rows, so five wait
                #expect(results.firstError == .overloaded)
            }
            var answers = done.makeAsyncIterator()
            for _ in 1...8 { await answers.next() }
            try await fixture.say("room again", to: .ada)
            #expect(try await fixture.store.state(of: .ada).unread == 6)
        }
    }

    @Test func `writes that wait when the store closes are still written, and nothing after them`() async throws {
        try await withStore { first in
            let results = Results()
            try await first.whileHeld {
                let entry = try first.entry("said", "last", to: [.ada])
                first.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { results.add($0) }
                first.store.close {}
            }
            await first.store.close()
            #expect(results.created == [1])
            await #expect(throws: StoreError.closed) { try await first.say("too late", to: .ada) }
            await #expect(throws: StoreError.closed) { try await first.store.page(of: .ada) }
            let second = try await first.reopened()
            #expect(try await second.texts(of: .ada) == ["last"])
            await second.store.close()
        }
    }
}

/// How many commits had been told when each answer came.
private final class Answers: Sendable {
    private let counts = Mutex<[Int]>([])
    var toldBefore: [Int] { counts.withLock { $0 } }
    func add(toldBefore count: Int) { counts.withLock { $0.append(count) } }
}

/// The results of publications, in the order in which they were told.
private final class Results: Sendable {
    private let results = Mutex<[Result<[PublishOutcome], StoreError>]>([])

    func add(_ result: Result<[PublishOutcome], StoreError>) { results.withLock { $0.append(result) } }

    /// The number of rows that were made; nil for a failure.
    var created: [Int?] {
        results.withLock { $0 }.map { result in
            if case .success(let outcomes) = result { outcomes.first?.created } else { nil }
        }
    }

    var firstError: StoreError? {
        results.withLock { $0 }.lazy.compactMap { result in
            if case .failure(let error) = result { error } else { nil }
        }.first
    }
}
