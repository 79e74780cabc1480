import Foundation
import Postgres
import PostgresStore

/// The rows of a closed store, which can be put back.
struct StoreCopy {
    private let folder: String
    private var file: String { folder + "/belfry.sqlite" }
    private var tables: [String] = []

    init(of folder: String) throws {
        self.folder = folder
        if Engine.current == .postgres {
            let connection = try PostgresConnection(StoreServer.address(of: folder))
            tables = try connection.run("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").map {
                try $0.text(0)
            }
            for table in tables {
                try connection.run(PostgresStatement(composed: "CREATE TABLE saved_\(table) AS SELECT * FROM \(table)"))
            }
        } else {
            try FileManager.default.copyItem(atPath: file, toPath: folder + "/saved")
        }
    }

    func putBack() throws {
        if Engine.current == .postgres {
            let connection = try PostgresConnection(StoreServer.address(of: folder))
            try connection.transaction {
                for table in tables {
                    try connection.run(PostgresStatement(composed: "DELETE FROM \(table)"))
                    try connection.run(PostgresStatement(composed: "INSERT INTO \(table) SELECT * FROM saved_\(table)"))
                }
            }
        } else {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
            try FileManager.default.copyItem(atPath: folder + "/saved", toPath: file)
        }
    }
}
