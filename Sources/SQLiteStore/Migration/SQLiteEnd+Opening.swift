import GRDB
import GRDBSQLite
import Glibc
import Migration

extension SQLiteEnd {
    /// Opens a folder's database, and brings it to this version's tables.
    ///
    /// - Parameters:
    ///   - isTarget: whether a missing database is made.
    ///   - lock: the folder's.
    static func open(
        _ folder: String, isTarget: Bool, onUpgrade: () -> Void
    ) throws -> DatabaseQueue {
        let path = folder + "/belfry.sqlite"
        guard !OpenedDatabase.isLost(at: path) else { throw StoreOpenError.lostDatabase(path: path) }
        guard LogSurvey(ofDatabase: path) == nil else { throw MigrationProblem.damagedLog(path: path) }
        OpenedDatabase.prepared
        if isTarget { make(path) }
        return try describing(path) {
            var configuration = Configuration()
            configuration.label = "belfry.migration"
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase(PageChecksums.makeRoom)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                guard sqlite3_db_readonly(db.sqliteConnection, "main") == 0 else {
                    throw StoreOpenError.notWritable(path: path)
                }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                // An interrupted copy is continued where the disk has it; the last commit is FULL again.
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
                try db.execute(sql: "PRAGMA cache_size = -64000")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 10000")
            }
            if isTarget { give(path, toOwnerOf: folder) }
            let (isNewer, applied) = try queue.read {
                (try Schema.migrations.hasBeenSuperseded($0), try Schema.migrations.appliedMigrations($0))
            }
            if isNewer { throw StoreOpenError.newerSchema(path: path) }
            if !applied.isEmpty, applied.count < Schema.migrations.migrations.count { onUpgrade() }
            try Schema.migrations.migrate(queue)
            return queue
        }
    }

    /// Makes a missing file, for its owner's eyes only. SQLite takes an empty one for a new database, and tells what is
    /// wrong with one that could not be made.
    private static func make(_ path: String) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// A command of root's must not leave files that the server cannot open.
    private static func give(_ path: String, toOwnerOf folder: String) {
        for suffix in ["", "-wal", "-shm"] {
            let descriptor = Glibc.open(path + suffix, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            FileOwner.give(descriptor, toOwnerOf: folder)
            Glibc.close(descriptor)
        }
    }

    /// Names the file in SQLite's failures.
    static func describing<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            let (code, message) = (Int(error.extendedResultCode.rawValue), error.words)
            if error.tellsOfDamage { throw StoreOpenError.damaged(path: path, code: code, message: message) }
            throw MigrationProblem.database(path: path, code: code, message: message)
        }
    }
}
