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
