import CSQLite
import Deliveries
import GRDB
import GRDBSQLite
import Glibc
import Inbox
import Store

/// The database's file: opened, migrated and prepared.
struct OpenedDatabase {
    let pool: DatabasePool
    /// 0 if damage hides it.
    let lastContentID: Int64
    /// Read once at the start, like the counts below; then the writer keeps them. Empty if damage hides them.
    let pushJobs: PushJobIndex
    let waitingPushes: PushCounts
    /// The clock reading that the last process left; nil without one.
    let lastClock: ClockReading?
    /// When the newest event was taken in; nil without an event, or if damage hides it.
    let newestEvent: Timestamp?
    /// The damage that the reads above met. Then writes are refused, but readable data can be read.
    let damage: DatabaseError?
    /// The writer's `synchronous` as SQLite reports it: always 2 (FULL).
    let synchronous: Int
    /// Suits the room that was free on the disk.
    let logLength: LogLength

    /// - Parameters:
    ///   - lockTimeout: how long a write waits for another program that writes to the file.
    ///   - longestLog: see ``SQLiteStoreOptions/longestLog``.
    ///   - onMigration: called before the migration of an older store. Each version's step is a transaction: an
    ///     interrupted one begins again with the next start.
    init(
        path: String, readers: Int, lockTimeout: Duration = .seconds(5), longestLog: Int = LogLength.mostPages,
        onMigration: () -> Void = {}
    ) throws(StoreOpenError) {
        Self.prepared
        do {
            let pool = try DatabasePool(path: path, configuration: Self.configuration(readers: readers, lockTimeout))
            self.pool = pool
            // SQLite opens a read-only file without complaint, and every write would fail.
            let isReadOnly = pool.writeWithoutTransaction { sqlite3_db_readonly($0.sqliteConnection, "main") != 0 }
            if isReadOnly { throw StoreOpenError.notWritable(path: path) }
            logLength = try pool.writeWithoutTransaction { db in
                let length = LogLength(of: db, longest: longestLog)
                try length.limitFile(db)
                // Until ``LogCopier`` takes over: migrations may write much.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(length.usual)")
                return length
            }
            let (isNewer, applied) = try pool.read {
                (try Schema.migrations.hasBeenSuperseded($0), try Schema.migrations.appliedMigrations($0))
            }
            if isNewer { throw StoreOpenError.newerSchema(path: path) }
            if try pool.read(MigrationMark.isThere) { throw StoreOpenError.unfinishedMigration(path: path) }
            // Before anything is written. If a disk failed to take a part of the log, a later sync may have left a gap.
            // After a power cut, nothing behind the gap would be read. The rest of a commit that was cut off is as bad: if
            // the next one is cut off before it, two commits seem lost.
            _ = try pool.writeWithoutTransaction { try LogFile.empty($0, lockTimeout: lockTimeout) }
            let getsChecksums = try !applied.isEmpty && pool.writeWithoutTransaction(PageChecksums.canBeAddedQuickly)
            if !applied.isEmpty, applied.count < Schema.migrations.migrations.count || getsChecksums { onMigration() }
            try Schema.migrations.migrate(pool)
            if getsChecksums { try Self.addChecksums(pool) }
            synchronous = try pool.writeWithoutTransaction(Self.prepareWriter)
            let (queue, pushesDamage) = try Self.unlessDamaged(WaitingQueue()) { try Self.waitingQueue(pool) }
            newestEvent = try Self.unlessDamaged(nil) { try pool.read(Self.newestEvent) }.0
            lastClock = try Self.unlessDamaged(nil) { try pool.read(ClockTable.read) }.0
            let (last, contentDamage) = try pool.writeWithoutTransaction { db in
                let found = try Self.unlessDamaged(0) {
                    try db.statement(sql: "SELECT max(id) FROM content").first([]) { try $0.optionalInt(0) ?? 0 } ?? 0
                }
                try Self.freeWebhooks(db)
                if LogFile.join(db) { try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
                DatabaseReserve.prepare(db)
                var reserve = DatabaseReserve()
                reserve.keepAhead(of: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0, db)
                return found
            }
            (pushJobs, waitingPushes) = (PushJobIndex(queue.places), queue.counts)
            (lastContentID, damage) = (last, pushesDamage ?? contentDamage)
        } catch let error as StoreOpenError {
            throw error
        } catch let error as DatabaseError {
            // Opening a database without a log begins one.
            if error.resultCode == .SQLITE_READONLY { throw .notWritable(path: path) }
            let (code, message) = (Int(error.extendedResultCode.rawValue), error.words)
            guard error.tellsOfDamage else { throw .database(path: path, code: code, message: message) }
            throw .damaged(path: path, code: code, message: message)
        } catch {
            throw .database(path: path, code: -1, message: "\(type(of: error))")
        }
    }

    /// Whether the database's file is gone or empty while its log is not: opening it would show an empty store.
    static func isLost(at path: String) -> Bool {
        func bytes(_ path: String) -> Int64 {
            var file = stat()
            return stat(path, &file) == 0 ? Int64(file.st_size) : 0
        }
        return bytes(path) == 0 && bytes(path + "-wal") > 0
    }

    /// A store that is damaged, or whose disk is full, goes on without.
    private static func addChecksums(_ pool: DatabasePool) throws {
        do {
            try pool.writeWithoutTransaction(PageChecksums.add)
        } catch let error as DatabaseError
            where error.tellsOfDamage || [.SQLITE_FULL, .SQLITE_BUSY].contains(error.resultCode)
        {}
    }

    private static func newestEvent(_ db: Database) throws -> Timestamp? {
        // An event's id begins with its time.
        try db.statement(sql: "SELECT accepted_at FROM trail_event ORDER BY event DESC LIMIT 1")
            .first([]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    /// Settings of the whole process, made once before a connection is opened. With an open connection SQLite refuses
    /// them, which does no harm; another thread that opens one at the same time would.
    static let prepared: Void = {
        // SQLite's memory counts cost a lock for each allocation, and are never read.
        _ = belfry_sqlite_count_no_memory()
        PageChecksums.register()
    }()

    /// Makes webhooks due that an earlier process had at hand, as nobody else settles them. Those that wait after a
    /// failure keep waiting. On a full disk all of them wait for their lease's end.
    private static func freeWebhooks(_ db: Database) throws {
        do {
            try db.execute(sql: "UPDATE webhook SET due = 0 WHERE due > 0 AND failures = 0")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.tellsOfDamage {}
    }

    private static func waitingQueue(_ pool: DatabasePool) throws -> WaitingQueue {
        let queue = try pool.read { try PushQueueReader($0).read() }
        guard !queue.doubles.isEmpty else { return queue }
        // Changes of a notification do not reach its extra jobs. So these must ask it when they leave, or they might
        // show another one's text.
        try pool.write { db in
            let clear = try db.statement(sql: "UPDATE push_job SET content = NULL WHERE place = ?")
            for place in queue.doubles { try clear.execute(arguments: [place.rawValue]) }
        }
        return queue
    }

    /// The result of `read`, or `fallback` and the damage that was met.
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
        // Another tool that looks at the file must not make a write fail at once.
        configuration.busyMode = .timeout(lockTimeout / .seconds(1))
        configuration.prepareDatabase { db in
            PageChecksums.makeRoom(db)
            // 8 MB a connection: a reader forgets all pages with the next commit.
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        return configuration
    }

    /// GRDB sets `synchronous` to NORMAL when it turns WAL on, after `prepareDatabase`: a power cut could then lose a
    /// commit. So it is set here, on the writing connection, and read back.
    private static func prepareWriter(_ db: Database) throws -> Int {
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // For the writing connection: the pages that every event writes, and those on the way to each inbox.
        try db.execute(sql: "PRAGMA cache_size = -16000")
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
        guard synchronous == 2 else { throw StoreOpenError.notDurable(synchronous: synchronous) }
        return synchronous
    }
}
