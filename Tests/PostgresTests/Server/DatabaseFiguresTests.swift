import Postgres
import Store
import Testing

@testable import PostgresStore

@Suite(.needsServer) struct DatabaseFiguresTests {
    @Test func `a transaction that somebody holds open shows its age`() throws {
        let (holder, reader) = (try TestServer.connection(), try TestServer.connection())
        try holder.transaction(.snapshot) {
            try holder.run("SELECT pg_current_xact_id()")
            let age = try reader.run(
                """
                SELECT (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::int8 FROM pg_stat_activity
                WHERE pid = $1
                """, [.int64(Int64(holder.serverProcess))])[0].int64(0)
            let figures = try DatabaseFigures(on: reader)
            #expect(try #require(figures.oldestTransaction) >= .milliseconds(age))
        }
    }

    @Test func `what a role may not see is left out, and the rest is there`() throws {
        let connection = try TestServer.connection()
        let role = "figures_\(connection.serverProcess)"
        try connection.run(PostgresStatement(composed: "CREATE ROLE \(role)"))
        defer {
            _ = try? connection.run("RESET ROLE")
            _ = try? connection.run(PostgresStatement(composed: "DROP ROLE \(role)"))
        }
        try connection.run("REVOKE EXECUTE ON FUNCTION pg_notification_queue_usage() FROM PUBLIC")
        try connection.run(PostgresStatement(composed: "SET ROLE \(role)"))
        let few = try DatabaseFigures(on: connection)
        #expect(few.oldestTransaction == nil)
        #expect(few.notifyQueue == nil)
        #expect(few.bytes != nil && few.connections != nil && few.mostConnections != nil && few.lockWaiters != nil)
        try connection.run("RESET ROLE")
        try connection.run("GRANT EXECUTE ON FUNCTION pg_notification_queue_usage() TO PUBLIC")
        try connection.run(PostgresStatement(composed: "GRANT pg_monitor TO \(role)"))
        try connection.run(PostgresStatement(composed: "SET ROLE \(role)"))
        let all = try DatabaseFigures(on: connection)
        #expect(all.oldestTransaction != nil && all.notifyQueue != nil)
    }
}
