import CSQLite
import GRDB
import GRDBSQLite
import Glibc
import Inbox

/// The database's file, opened, brought up to date and made ready.
struct OpenedDatabase {
    let pool: DatabasePool
    /// 0 where damage hides it.
    let lastContentID: Int64
    /// Read once, as the next: from here on the writer knows. None where damage hides them.
    let pushJobs: PushJobIndex
    let waitingPushes: PushCounts
    /// How the clock of the process stood that had it last; nil if none has told.
    let lastClock: ClockReading?
    /// When the newest event was taken in; nil without any, or where damage hides it.
    let newestEvent: Timestamp?
    /// What these met. Nothing may be written then, but what can be read is.
    let damage: DatabaseError?
    /// The writer's `synchronous` as SQLite tells it: always 2 (FULL).
    let synchronous: Int
    /// Of the writer's log.
    let syncing: LogSyncing
    /// With the room that there was.
    let logLength: LogLength

    /// - Parameters:
    ///   - lockTimeout: how long a write waits for somebody else who writes to the file.
    ///   - syncDelay: as in ``SQLiteStoreOptions``.
    ///   - longestLog: as there.
    ///   - onMigration: called before a store of an older version is brought up to date. Each version's step is a
    ///     transaction: one that is broken off begins again with the next start.
    init(
        path: String, readers: Int, lockTimeout: Duration = .seconds(5), syncDelay: Duration = .zero,
        longestLog: Int = LogLength.mostPages, onMigration: () -> Void = {}
    ) throws(StoreOpenError) {
        Self.prepared
        do {
            let pool = try DatabasePool(path: path, configuration: Self.configuration(readers: readers, lockTimeout))
            self.pool = pool
            // SQLite opens such a file without a word, and every write would fail.
            let isReadOnly = pool.writeWithoutTransaction { sqlite3_db_readonly($0.sqliteConnection, "main") != 0 }
            if isReadOnly { throw StoreOpenError.notWritable(path: path) }
            logLength = try pool.writeWithoutTransaction { db in
                let length = LogLength(of: db, longest: longestLog)
                try length.limitFile(db)
                // As long as nobody else copies it: the store's versions may write much.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(length.usual)")
                return length
            }
            let (isNewer, applied) = try pool.read {
                (try Schema.migrations.hasBeenSuperseded($0), try Schema.migrations.appliedMigrations($0))
            }
            if isNewer { throw StoreOpenError.newerSchema(path: path) }
            if !applied.isEmpty, applied.count < Schema.migrations.migrations.count { onMigration() }
            try Schema.migrations.migrate(pool)
            synchronous = try pool.writeWithoutTransaction(Self.prepareWriter)
            let (queue, pushesDamage) = try Self.unlessDamaged(WaitingQueue()) { try Self.waitingQueue(pool) }
            let syncing = LogSyncing(longest: syncDelay)
            newestEvent = try Self.unlessDamaged(nil) { try pool.read(Self.newestEvent) }.0
            lastClock = try Self.unlessDamaged(nil) { try pool.read(ClockTable.read) }.0
            let (last, contentDamage) = try pool.writeWithoutTransaction { db in
                let found = try Self.unlessDamaged(0) {
                    try Int64.fetchOne(db, sql: "SELECT max(id) FROM content") ?? 0
                }
                if LogFile.join(db, syncing) { try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
                DatabaseReserve.prepare(db)
                try Self.emptyLog(db)
                var reserve = DatabaseReserve()
                reserve.keepAhead(of: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0, db)
                return found
            }
            (pushJobs, waitingPushes) = (PushJobIndex(queue.places), queue.counts)
            (lastContentID, damage) = (last, pushesDamage ?? contentDamage)
            self.syncing = syncing
        } catch let error as StoreOpenError {
            throw error
        } catch let error as DatabaseError {
            // Without a log, opening begins one.
            if error.resultCode == .SQLITE_READONLY { throw .notWritable(path: path) }
            let (code, message) = (Int(error.extendedResultCode.rawValue), error.message ?? "unknown error")
            guard error.tellsOfDamage else { throw .database(path: path, code: code, message: message) }
            throw .damaged(path: path, code: code, message: message)
        } catch {
            throw .database(path: path, code: -1, message: "\(type(of: error))")
        }
    }

    /// Whether the database's file is gone, or empty, and something of it in a log is not: whoever opened it would find
    /// an empty store.
    static func isLost(at path: String) -> Bool {
        func bytes(_ path: String) -> Int64 {
            var file = stat()
            return stat(path, &file) == 0 ? Int64(file.st_size) : 0
        }
        return bytes(path) == 0 && bytes(path + "-wal") > 0
    }

    private static func newestEvent(_ db: Database) throws -> Timestamp? {
        // An event's id begins with its time.
        try Int64.fetchOne(db, sql: "SELECT accepted_at FROM trail_event ORDER BY event DESC LIMIT 1")
            .map(Timestamp.init(milliseconds:))
    }

    /// What is set for the whole process, once; to be asked for before a connection is opened. With one open already
    /// SQLite refuses it, which does no harm; while another thread opens one, it would.
    static let prepared: Void = {
        // Nobody reads the counts, and each allocation takes a lock for them.
        _ = belfry_sqlite_count_no_memory()
        PageCache.install()
    }()

    /// Has what an earlier process has left in the log go to the database, and the disk take both.
    ///
    /// If a disk fails to take a part of the log, a later sync may succeed and leave a gap there, behind which nothing
    /// is read after a power cut. Here all is read, so nothing that is promised from now on lies behind one. On a full
    /// disk the log stays.
    private static func emptyLog(_ db: Database) throws {
        do {
            try db.checkpoint()
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_BUSY].contains(error.resultCode) {}
    }

    private static func waitingQueue(_ pool: DatabasePool) throws -> WaitingQueue {
        let queue = try pool.read { try PushQueueReader($0).read() }
        guard !queue.doubles.isEmpty else { return queue }
        // Nothing reaches them that happens to their notifications: they must ask those, or might say another one's
        // text.
        try pool.write { db in
            for place in queue.doubles {
                try db.execute(sql: "UPDATE push_job SET content = NULL WHERE place = ?", arguments: [place.rawValue])
            }
        }
        return queue
    }

    /// What `read` finds, or `fallback` and the damage that it met.
    private static func unlessDamaged<Value>(
        _ fallback: Value, _ read: () throws -> Value
    ) throws -> (Value, damage: DatabaseError?) {
        do {
            return (try read(), nil)
        } catch let error as DatabaseError {
            guard error.tellsOfDamage else { throw error }
            return (fallback, error)
        }
    }

    private static func configuration(readers: Int, _ lockTimeout: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.label = "belfry.store"
        configuration.maximumReaderCount = readers
        // Somebody who looks at the file with another tool must not make a write fail at once.
        configuration.busyMode = .timeout(lockTimeout / .seconds(1))
        configuration.prepareDatabase { db in
            // 8 MB a connection: a reader forgets all with the next commit.
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        return configuration
    }

    /// GRDB sets `synchronous` to NORMAL when it turns WAL on, after `prepareDatabase`: a commit could then be lost in
    /// a power cut. So it is set here, on the one connection that writes, and read back.
    private static func prepareWriter(_ db: Database) throws -> Int {
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // Of the one connection that writes: what every event writes, and the way to each inbox.
        try db.execute(sql: "PRAGMA cache_size = -16000")
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
        guard synchronous == 2 else { throw StoreOpenError.notDurable(synchronous: synchronous) }
        return synchronous
    }
}
