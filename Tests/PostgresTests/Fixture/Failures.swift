import Testing

@testable import Postgres

/// The failure that `body` throws; recorded as an issue if it throws none.
func failure<Value>(_ body: () throws -> Value) throws -> PostgresFailure {
    try #require(throws: PostgresFailure.self) { _ = try body() }
}

extension PostgresConnection {
    /// Ends the one session with this name, as soon as it waits as `event` says.
    func terminate(_ name: String, waitingFor event: String) throws {
        while try run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity, pg_sleep(0.01)
            WHERE application_name = $1 AND wait_event = $2
            """, [.text(name), .text(event)]
        ).isEmpty {}
    }
}
