import Foundation
import Inbox
import Postgres
import PostgresStore
import Store
import Testing

/// The function and the table by which applications publish within their own transactions.
@Suite(.enabled(if: StoreServer.url != nil, "needs a server of PostgreSQL"), .mayNotHang) struct OutboxTests {
    /// A store, and a connection of an application to the same database.
    private func withOutbox(_ body: @Sendable (PostgresStore, _ schema: String) async throws -> Void) async throws {
        try await StoreServer.places.use {
            let fixture = try Engine.$current.withValue(.postgres) { try StoreFixture() }
            let result: Result<Void, any Error>
            do {
                let store = try #require(fixture.store as? PostgresStore)
                result = .success(try await body(store, StoreServer.schema(fixture.folder)))
            } catch { result = .failure(error) }
            await fixture.remove()
            try result.get()
        }
    }

    private func application() throws -> PostgresConnection {
        try PostgresConnection(PostgresAddress(#require(StoreServer.url)))
    }

    /// - Returns: the event's key.
    @discardableResult
    private func publish(
        _ event: String?, _ schema: String, on connection: PostgresConnection
    ) throws -> String {
        let call = PostgresStatement(composed: "SELECT \"\(schema)\".publish($1::text::jsonb)")
        return try connection.run(call, [.text(event)])[0].text(0)
    }

    private func rows(_ store: PostgresStore, _ limit: Int = 100, bytes: Int = 1 << 20) async throws -> [OutboxRow] {
        try await withCheckedThrowingContinuation { continuation in
            store.outbox.rows(limit, bytes: bytes) { continuation.resume(with: $0) }
        }
    }

    private func settle(_ settlement: OutboxSettlement, _ store: PostgresStore) async throws {
        try await withCheckedThrowingContinuation { continuation in
            store.outbox.settle(settlement) { continuation.resume(with: $0) }
        }
    }

    private func figures(_ store: PostgresStore) async throws -> OutboxFigures {
        let statistics = try await withCheckedThrowingContinuation { continuation in
            store.statistics(at: Timestamp(milliseconds: 0)) { continuation.resume(with: $0) }
        }
        return try #require(statistics.outbox)
    }

    @Test func `events are there once their transaction has committed, and never if it is undone`() async throws {
        try await withOutbox { store, schema in
            let connection = try application()
            try connection.run("BEGIN")
            #expect(try publish(#"{"type": "a", "key": "order-1"}"#, schema, on: connection) == "order-1")
            let second = try publish(#"{"type": "b", "key": null}"#, schema, on: connection)
            #expect(try await rows(store).isEmpty)
            try connection.run("COMMIT")
            let found = try await rows(store)
            #expect(
                found.map { String(decoding: $0.event, as: UTF8.self) } == [
                    #"{"key": "order-1", "type": "a"}"#, #"{"key": null, "type": "b"}"#,
                ])
            #expect(second == "outbox-\(found[1].id)")
            try connection.run("BEGIN")
            try publish(#"{"type": "c"}"#, schema, on: connection)
            try connection.run("ROLLBACK")
            #expect(try await rows(store) == found)
        }
    }

    @Test func `a role needs the function and its schema alone, and gets nothing else`() async throws {
        try await withOutbox { store, schema in
            let connection = try application()
            let role = "app_" + schema.suffix(20)
            func run(_ statement: String) throws { try connection.run(PostgresStatement(composed: statement)) }
            try run("CREATE ROLE \"\(role)\"")
            func state(_ body: () throws -> Void) -> String? {
                do { try body() } catch { return (error as? PostgresFailure)?.sqlState }
                return nil
            }
            try run("GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(role)\"")
            try run("SET ROLE \"\(role)\"")
            #expect(state { try publish(#"{"type": "a"}"#, schema, on: connection) } == "42501")
            try run("RESET ROLE")
            try run("GRANT EXECUTE ON FUNCTION \"\(schema)\".publish TO \"\(role)\"")
            try run("SET ROLE \"\(role)\"")
            // A table of the caller's own with the same name is not in the way.
            try run("CREATE TEMPORARY TABLE outbox (event jsonb)")
            try run("SET search_path = pg_temp")
            #expect(state { try publish(#"{"type": "a"}"#, schema, on: connection) } == nil)
            for statement in ["SELECT FROM", "DELETE FROM", "TRUNCATE"] {
                #expect(state { try run("\(statement) \"\(schema)\".outbox") } == "42501", "\(statement)")
            }
            try run("RESET ROLE")
            try run("DROP OWNED BY \"\(role)\"")
            try run("DROP ROLE \"\(role)\"")
            #expect(try await rows(store).count == 1)
        }
    }

    @Test func `what can be no event fails at once, with the reason and without the event's words`() async throws {
        try await withOutbox { store, schema in
            let connection = try application()
            // The client of the store cuts what functions say.
            try connection.run(
                PostgresStatement(
                    composed: """
                        CREATE FUNCTION pg_temp.attempt(event text) RETURNS text LANGUAGE plpgsql AS $$
                        BEGIN
                            PERFORM "\(schema)".publish(event::jsonb);
                            RETURN 'published';
                        EXCEPTION WHEN OTHERS THEN
                            RETURN SQLSTATE || ' ' || SQLERRM;
                        END $$
                        """))
            let long = String(repeating: "secret", count: 180_000)
            for (event, told) in [
                (nil, "22023 publish: expected an event as a JSON object, not NULL"),
                ("null", "22023 publish: expected an event as a JSON object, not null"),
                (#"[{"type": "secret"}]"#, "22023 publish: expected an event as a JSON object, not array"),
                (#""secret""#, "22023 publish: expected an event as a JSON object, not string"),
                (#"{"kind": "secret"}"#, "22023 publish: expected the event's type as a string"),
                (#"{"type": 7}"#, "22023 publish: expected the event's type as a string"),
                (#"{"type": "a", "key": 7}"#, "22023 publish: expected the event's key as a string, or none"),
                (
                    #"{"type": "a", "data": "\#(long)"}"#,
                    "54000 publish: expected an event of at most 1048576 bytes, not of 1080025"
                ),
            ] {
                #expect(try connection.run("SELECT pg_temp.attempt($1)", [.text(event)])[0].text(0) == told)
            }
            #expect(try await rows(store).isEmpty)
        }
    }

    @Test func `rows come in order, up to a number and a size; stored ones go, others stay or come later`() async throws
    {
        try await withOutbox { store, schema in
            let connection = try application()
            for number in 1...6 { try publish(#"{"type": "a", "key": "k\#(number)"}"#, schema, on: connection) }
            let all = try await rows(store)
            #expect(all.map(\.id) == all.map(\.id).sorted() && all.count == 6)
            #expect(try await rows(store, 2) == Array(all[..<2]))
            #expect(try await rows(store, bytes: 1) == Array(all[..<1]))
            #expect(try await rows(store, bytes: all[0].event.count + 1) == Array(all[..<2]))

            var settlement = OutboxSettlement()
            settlement.stored = [all[0].id, all[2].id]
            settlement.refused = [.init(row: all[1].id, reason: "unknown_event (/type): no")]
            settlement.delayed = [.init(row: all[3].id, rest: .seconds(3_600)), .init(row: all[4].id, rest: .zero)]
            try await settle(settlement, store)
            #expect(try await rows(store) == [OutboxRow(id: all[4].id, event: all[4].event, tries: 1), all[5]])
            let told = try await figures(store)
            #expect((told.waiting, told.refused) == (3, 1))

            // The statements of the documentation.
            func run(_ statement: String) throws -> Int {
                try connection.run(PostgresStatement(composed: statement.replacing("belfry.", with: "\"\(schema)\".")))
                    .count
            }
            #expect(
                try run("SELECT id, at, refusal, event FROM belfry.outbox WHERE refusal IS NOT NULL ORDER BY id") == 1)
            _ = try run("UPDATE belfry.outbox SET refusal = NULL, next_at = now() WHERE refusal IS NOT NULL")
            #expect(try await rows(store).map(\.id) == [all[1].id, all[4].id, all[5].id])
            _ = try run("DELETE FROM belfry.outbox WHERE id = \(all[1].id)")
            #expect(try await figures(store).refused == 0)
        }
    }

    @Test func `an empty outbox has waited for no time, and another for some`() async throws {
        try await withOutbox { store, schema in
            #expect(try await figures(store) == OutboxFigures(waiting: 0, oldest: .zero, refused: 0))
            let connection = try application()
            try publish(#"{"type": "a"}"#, schema, on: connection)
            try connection.run(
                PostgresStatement(composed: "UPDATE \"\(schema)\".outbox SET at = at - interval '1 hour'"))
            #expect(try await figures(store).oldest >= .seconds(3_600))
        }
    }
}
