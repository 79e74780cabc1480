import Deliveries
import Inbox
import PostgresStore
import Store
import Testing

@testable import Postgres

/// The server stops, and comes back.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(3))) struct RestartTests {
    @Test func `connections, readers and listeners outlive a server's restart`() async throws {
        let address = try TestServer.unsteady
        let pool = PostgresPool(address)
        let listener = Listener(address, .init(), channels: ["after"])
        defer {
            pool.close()
            listener.stop()
        }
        #expect(await listener.next() == "listening")
        #expect(try await pool.read { try $0.run("SELECT 1::int8")[0].int64(0) } == 1)
        let old = try lostInARestart(address)
        #expect(!old)

        #expect(await listener.next() == "lost")
        try TestServer.start()
        var event: String?
        repeat { event = await listener.next() } while event == "lost"
        #expect(event == "listening")
        // A reader finds out by its next job, so as many jobs fail as there are readers.
        var failures = 0
        while true {
            do {
                #expect(try await pool.read { try $0.run("SELECT 2::int8")[0].int64(0) } == 2)
                break
            } catch {
                failures += 1
            }
        }
        #expect(failures <= PostgresPoolOptions().readers)
        let told = try PostgresConnection(address)
        try told.notify("after", "again")
        try told.settle()
        #expect(await listener.next() == "after: again")
    }

    @Test func `writes during an outage are answered, and later ones succeed`() async throws {
        let folder = "outage_test"
        let first = try PostgresConnection(TestServer.unsteady)
        try first.run(PostgresStatement(composed: "DROP SCHEMA IF EXISTS \(folder) CASCADE"))
        try first.run(PostgresStatement(composed: "CREATE SCHEMA \(folder)"))
        first.close()
        let rules = StoreOptions(makeEpoch: { "epoch" }, isLive: { _ in false })
        let store = try PostgresStore(
            PostgresAddress(TestServer.unsteadyURL("&options=-csearch_path%3D\(folder)")), PostgresStoreOptions(rules))
        #expect(await write(store) == .done)
        try TestServer.stop()
        for _ in 0..<3 { #expect(await write(store) == .refused) }
        try TestServer.start()
        var answer: Answer
        repeat { answer = await write(store) } while answer == .refused
        #expect(answer == .done)
        // A second restart that no write has noticed.
        try TestServer.stop()
        try TestServer.start()
        let ready = try await connection()
        #expect(await write(store) == .done)
        ready.close()
        await withCheckedContinuation { done in store.close { done.resume() } }
    }

    private enum Answer {
        case done
        /// The server cannot be reached, and nothing was stored.
        case refused
        case other
    }

    private func write(_ store: PostgresStore) async -> Answer {
        await withCheckedContinuation { done in
            store.tryWriting { result in
                switch result {
                case .success: done.resume(returning: .done)
                case .failure(.unreachable(let reason)):
                    done.resume(returning: reason.contains("may have been committed") ? .other : .refused)
                case .failure: done.resume(returning: .other)
                }
            }
        }
    }

    /// Tries until the server is there.
    private func connection() async throws -> PostgresConnection {
        while true {
            do { return try PostgresConnection(TestServer.unsteady) } catch { await Task.yield() }
        }
    }

    /// - Returns: whether a connection still is open after its server has gone.
    private func lostInARestart(_ address: PostgresAddress) throws -> Bool {
        let connection = try PostgresConnection(address)
        try TestServer.stop()
        let told = try failure { try connection.transaction { try connection.run("SELECT 1") } }
        #expect([.shuttingDown, .connectionLost].contains(told.meaning) && told.isConnectionOver && !told.isUnknown)
        #expect(try failure { _ = try PostgresConnection(address) }.meaning == .cannotConnect)
        return connection.isOpen
    }
}
