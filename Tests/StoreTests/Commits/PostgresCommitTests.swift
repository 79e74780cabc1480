import Deliveries
import Inbox
import Postgres
import PostgresStore
import SQLiteStore
import Store
import Synchronization
import Testing

/// The group commit of PostgreSQL.
@Suite(.enabled(if: StoreServer.url != nil, "BELFRY_TEST_POSTGRES is not set"))
struct PostgresCommitTests {
    private func withPostgres(
        _ configure: StoreFixture.Configuration = { _ in },
        _ body: @Sendable (StoreFixture, PostgresStore) async throws -> Void
    ) async throws {
        try await Engine.$current.withValue(.postgres) {
            let fixture = try StoreFixture(configure)
            let result: Result<Void, any Error>
            do {
                let store = try #require(fixture.store as? PostgresStore)
                result = .success(try await StoreServer.places.use { try await body(fixture, store) })
            } catch { result = .failure(error) }
            await fixture.remove()
            try result.get()
        }
    }

    @Test func `writes that wait together are one commit, told before the answers`() async throws {
        try await withPostgres { fixture, store in
            for user in [UserID.ada, .bob] { _ = try await store.state(of: user) }
            let toldBefore = Mutex<[Int]>([])
            try await fixture.whileHeld {
                for number in 1...100 {
                    let entry = try fixture.entry("said", "\(number)", to: number % 2 == 0 ? [.ada] : [.ada, .bob])
                    store.publish(Publication(publisher: "backend", entries: [entry], now: .at(0))) {
                        [weak fixture] _ in
                        toldBefore.withLock { $0.append(fixture?.commits.count ?? 0) }
                    }
                }
            }
            _ = try await store.state(of: .cleo)  // comes after all of them
            #expect(fixture.commits.map(\.inboxes.count) == [150])
            #expect(fixture.told(to: .ada).map(\.stamp.seq) == Array(1...100))
            #expect(toldBefore.withLock(\.self) == Array(repeating: 1, count: 100))
        }
    }

    @Test func `a write that fails leaves the others of its group committed`() async throws {
        struct Broken: Error {}
        try await withPostgres { fixture, store in
            let results = Mutex<[String: Bool]>([:])
            let note: @Sendable (String, Result<Void, StoreError>) -> Void = { name, result in
                results.withLock { $0[name] = (try? result.get()) != nil }
            }
            try await fixture.whileHeld {
                for (user, text) in [(UserID.ada, "one"), (.bob, "two")] {
                    let entry = try fixture.entry("said", text, to: [user])
                    store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { result in
                        note(text, result.map { _ in })
                    }
                    store.write(rows: 1, isRehearsal: false, { note("thrown \(text)", $0) }) { _ in throw Broken() }
                    // The statement fails when all is written.
                    store.write(rows: 1, isRehearsal: false, { note("refused \(text)", $0) }) { open in
                        let stamp = ChangeStamp(seq: 1, unread: 0, unseen: 0, delta: 0)
                        for _ in 0..<2 { try open.changes.append(.gone, stamp, inbox: 99) }
                        return .success(())
                    }
                }
            }
            _ = try await store.state(of: .cleo)
            #expect(
                results.withLock(\.self) == [
                    "one": true, "two": true, "thrown one": false, "thrown two": false, "refused one": false,
                    "refused two": false,
                ])
            #expect(try await fixture.texts(of: .ada) == ["one"])
            #expect(try await fixture.texts(of: .bob) == ["two"])
        }
    }

    @Test func `a connection that is lost during the commit answers that the write may be stored`() async throws {
        try await withPostgres { fixture, store in
            try await fixture.say("before", to: .ada)
            try StoreServer.run(
                "CREATE SEQUENCE ending",
                """
                CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('ending') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON trail_event DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION end_session()
                """, in: fixture.folder)
            let performed = Mutex(0)
            let entry = try fixture.entry("said", "lost", to: [.ada])
            let answers = AsyncStream.makeStream(of: Result<[PublishOutcome], StoreError>.self)
            store.write(
                rows: 1, isRehearsal: false,
                { (result: Result<[PublishOutcome], StoreError>) in
                    answers.continuation.yield(result)
                }
            ) { open in
                performed.withLock { $0 += 1 }
                let publication = Publication(publisher: "b", entries: [entry], now: .at(1))
                return try PublishWriter(open: open).publish(publication)
            }
            guard case .failure(.unreachable(let reason)) = await answers.stream.first(where: { _ in true }) else {
                Issue.record("the answer was not lost")
                return
            }
            #expect(reason.contains("may have been committed"))
            #expect(performed.withLock(\.self) == 1)
            try await fixture.say("after", to: .ada, at: .at(2))
            #expect(try await fixture.texts(of: .ada) == ["after", "before"])
        }
    }

    @Test func `facts that were announced include the transaction's own changes`() async throws {
        try await withPostgres { fixture, store in
            let (one, two) = (try fixture.entry("added", to: [.ada]), try fixture.entry("added", to: [.ada]))
            try await fixture.add(1, to: .ada)
            try await store.register(.phone(), for: .ada)
            let seen = Mutex<[Int64]>([])
            try await fixture.whileHeld {
                store.publish(Publication(publisher: "b", entries: [one], now: .at(1))) { _ in }
                store.apply(.read(.upTo(9)), for: .ada, at: .at(1)) { result in
                    seen.withLock { $0.append((try? result.get())?.count ?? -1) }
                }
                store.publish(Publication(publisher: "b", entries: [two], now: .at(1))) { _ in }
                store.unregister(device: "phone", app: "", of: .ada) { _ in }
                store.apply(.read(.upTo(9)), for: .ada, at: .at(1)) { result in
                    seen.withLock { $0.append((try? result.get())?.count ?? -1) }
                }
            }
            _ = try await store.state(of: .cleo)  // comes after all of them
            let state = try await store.state(of: .ada)
            // The read notification grows no more: the second event begins another one.
            #expect(seen.withLock(\.self) == [1, 1])
            #expect((state.total, state.unread) == (2, 0))
            #expect(fixture.commits.last?.inboxes.count == 4)
            #expect(try await store.devices(of: .ada).isEmpty)
        }
    }

    @Test func `more writes than may wait are refused`() async throws {
        let configure: StoreFixture.Configuration = { $0.waitingRows = 10 }
        try await withPostgres(configure) { fixture, store in
            let refused = Mutex(0)
            try await fixture.whileHeld {
                for _ in 0..<15 {
                    store.tryWriting { if case .failure(.overloaded) = $0 { refused.withLock { $0 += 1 } } }
                }
                #expect(store.waitingRows == 10)
            }
            _ = try await store.state(of: .ada)  // comes after all of them
            #expect(refused.withLock(\.self) == 5 && store.waitingRows == 0)
        }
    }
}
