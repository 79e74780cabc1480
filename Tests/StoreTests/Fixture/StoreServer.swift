import Foundation
import Postgres
import PostgresStore
import Store

/// The PostgreSQL server that `scripts/postgres-for-tests` started. Each store has a schema of its own there.
enum StoreServer {
    static let url = ProcessInfo.processInfo.environment["BELFRY_TEST_POSTGRES"]
    /// A store has several connections, of which the server has a limited number.
    static let places = Places(8)

    /// - Parameter folder: the store's name; the same one leads to the same rows.
    static func store(_ folder: String, _ options: PostgresStoreOptions) throws -> PostgresStore {
        try PostgresStore(address(of: folder), options)
    }

    /// Where the rows of a store are. Makes the place, without tables.
    static func address(of folder: String) throws -> PostgresAddress {
        guard let url else { preconditionFailure("BELFRY_TEST_POSTGRES is not set") }
        let name = schema(folder)
        try PostgresConnection(PostgresAddress(url)).run(
            PostgresStatement(composed: "CREATE SCHEMA IF NOT EXISTS \"\(name)\""))
        return try PostgresAddress(url + "&options=-csearch_path%3D\(name)")
    }

    static func contents(of folder: String) throws -> Int64 {
        guard let url else { return 0 }
        let statement = PostgresStatement(composed: "SELECT count(*) FROM \"\(schema(folder))\".content")
        return try PostgresConnection(PostgresAddress(url)).run(statement)[0].int64(0)
    }

    /// Runs statements in a store's schema.
    static func run(_ statements: String..., in folder: String) throws {
        guard let url else { return }
        let connection = try PostgresConnection(PostgresAddress(url + "&options=-csearch_path%3D\(schema(folder))"))
        for statement in statements { try connection.run(PostgresStatement(composed: statement)) }
    }

    static func remove(_ folder: String) throws {
        guard let url else { return }
        try PostgresConnection(PostgresAddress(url)).run(
            PostgresStatement(composed: "DROP SCHEMA IF EXISTS \"\(schema(folder))\" CASCADE"))
    }

    /// Where the tables of a store are.
    static func schema(_ folder: String) -> String {
        folder.split(separator: "/").last.map { $0.lowercased().replacing("-", with: "_") } ?? "belfry"
    }
}

/// Lets a limited number of tests run at the same time.
actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func use(_ body: @Sendable () async throws -> Void) async throws {
        await take()
        do { try await body() } catch {
            await give()
            throw error
        }
        await give()
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
