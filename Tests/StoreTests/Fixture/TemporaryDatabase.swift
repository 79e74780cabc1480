import Foundation

/// Runs `body` with a path where no database is yet, and removes what it leaves there.
func withDatabasePath<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let path = NSTemporaryDirectory() + "belfry-database-\(UUID().uuidString).sqlite"
    defer { removeDatabase(path) }
    return try body(path)
}

/// Removes the database's files, as far as there are any.
func removeDatabase(_ path: String) {
    // Files that stay behind in the temporary folder harm nobody.
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
}
