import Dispatch
import GRDB
import Inbox
import Synchronization

/// The store in one folder on this machine: one writer with group commit, readers beside it (SQLite in WAL mode).
///
/// A commit is on the disk before anybody hears of it (`synchronous=FULL`), but for one that tells only what became of
/// pushes: see ``UnsyncedCommits``. One store at a time has a folder.
package final class SQLiteStore: Store {
    let options: SQLiteStoreOptions
    let contents: ContentCache
    let inboxes: SharedInboxMemory
    let acknowledgements = Acknowledgements()
    let acknowledgementDelay = Mutex(AcknowledgementDelay())
    private let pool: DatabasePool
    private let lock: FolderLock
    /// How the clock of the process stood that had the store last; nil if none has told.
    package let lastClock: ClockReading?
    let pushJobs: PushJobIndex
    private let committer: GroupCommitter
    private let reads: ReadQueue
    let damage: DamageWatch
    private let readsUnderWay = Atomic<Int>(0)
    let rest: Mutex<WriterRest>
    let statisticsRounds = Mutex(StatisticsRounds())

    /// Opens the store, and creates folder and database where they are missing.
    ///
    /// No lease of a push job outlives the store that gave it: who held it lives no more.
    /// - Throws: ``StoreOpenError``
    package init(folder: String, options: SQLiteStoreOptions) throws {
        lock = try FolderLock(folder: folder)
        let path = folder + "/belfry.sqlite"
        guard !OpenedDatabase.isLost(at: path) else { throw StoreOpenError.lostDatabase(path: path) }
        // SQLite would take up what it can read of the log, and say nothing.
        let survey = LogSurvey(ofDatabase: path)
        let opened = try OpenedDatabase(
            path: path, readers: options.readers, lockTimeout: options.lockTimeout,
            syncDelay: options.syncDelay, longestLog: options.longestLog, onMigration: options.onMigration)
        self.options = options
        pool = opened.pool
        contents = ContentCache(capacity: options.cachedContents, lastID: opened.lastContentID)
        inboxes = SharedInboxMemory(
            InboxMemory(inboxes: options.rememberedInboxes, changeBytes: options.rememberedChangeBytes))
        rest = Mutex(WriterRest(after: options.restDelay))
        reads = ReadQueue(readers: options.readers)
        damage = DamageWatch(report: options.onDamage, reportRow: options.onDamagedRow)
        if let found = opened.damage { options.onFailure(damage.judged(found)) }
        pushJobs = opened.pushJobs
        lastClock = opened.lastClock
        if let survey { options.onLostCommits(survey, opened.newestEvent) }
        committer = GroupCommitter(
            options: options, contents: contents, inboxes: inboxes, pushJobs: pushJobs,
            waitingPushes: opened.waitingPushes, damage: damage, syncing: opened.syncing,
            logLength: opened.logLength)
    }

    package func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        committer.onCommit(listener, within: surround)
    }

    var isClosed: Bool { committer.queue.isClosed }

    package var isDamaged: Bool { damage.isDamaged }

    package var damagedRows: Int { damage.damagedRows }

    package var waitingRows: Int { committer.queue.waitingRows }

    /// Of the writer's log.
    var syncing: LogSyncing { committer.syncing }

    var waitingPushes: PushCounts { committer.waitingPushes.withLock { $0 } }

    package func close(completion: @escaping @Sendable () -> Void) {
        takeAllAcknowledgementsAlong()
        committer.queue.close()
        pool.asyncWriteWithoutTransaction { [self] db in
            committer.drain(db)
            // Closing waits for the readers and for this very queue.
            DispatchQueue.global().async { [self] in
                // Then the writer's connection is the last one that closes, and SQLite removes the log's file.
                if emptyLog() { pool.invalidateReadOnlyConnections() }
                // A connection that does not close goes with the process; what was promised is on the disk already.
                try? pool.close()
                lock.release()
                completion()
            }
        }
    }

    /// Has all of the store in the database's one file, if that can be done in time. Whoever opens it next would do the
    /// same.
    /// - Returns: whether the log is empty.
    private func emptyLog() -> Bool {
        guard !damage.isDamaged, !syncing.areLost else { return false }
        let isUnderWay = Mutex(true)
        let deadline = ContinuousClock.now + options.closingTime
        DispatchQueue.global().asyncAfter(deadline: .now() + options.closingTime / .seconds(1)) { [pool] in
            // Not when the connection is closing, or gone.
            isUnderWay.withLock { if $0 { pool.interrupt() } }
        }
        defer { isUnderWay.withLock { $0 = false } }
        // Behind all reads that are under way: they would hold it back. It stays where it is if that fails.
        do {
            return try pool.barrierWriteWithoutTransaction { db in
                // The interruption is for what runs; SQLite promises nothing of what begins after it.
                guard ContinuousClock.now < deadline else { return false }
                return try LogFile.empty(db, lockTimeout: options.lockTimeout)
            }
        } catch {
            // It took too long, or somebody else has closed the connection: neither is a failure of the disk's.
            switch (error as? DatabaseError)?.resultCode {
            case .SQLITE_INTERRUPT?, .SQLITE_MISUSE?: break
            default: options.onFailure(damage.judged(error, isLost: syncing.areLost))
            }
            return false
        }
    }

    /// Queues a write for the next commit.
    /// - Parameters:
    ///   - rows: how many rows it may touch, roughly.
    ///   - isPromised: as in ``Write``.
    func write<Value: Sendable>(
        rows: Int = 1, isRehearsal: Bool = false, isPromised: Bool = true,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        write(
            ClosureWrite(
                rows: rows, isRehearsal: isRehearsal, isPromised: isPromised, completion: completion, perform: body))
    }

    func write(_ write: some Write) {
        guard !damage.isDamaged else { return write.fail(.damaged) }
        takeAcknowledgementsAlong()
        switch committer.queue.add(write) {
        case .start:
            pool.asyncWriteWithoutTransaction { [self] db in
                committer.drain(db)
                writerPaused()
            }
        case .waits: break
        case .overloaded: write.fail(.overloaded)
        case .closed: write.fail(.closed)
        }
    }

    /// Runs `body` on the writer's queue, outside of all transactions; its connection may have been closed.
    func withIdleWriter(_ body: @escaping @Sendable (Database) -> Void) { pool.asyncWriteWithoutTransaction(body) }

    /// Runs `body` in a snapshot on one of the readers.
    func read<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) {
        if let read = admit(completion, body) { pool.asyncRead(read.perform) }
    }

    /// As ``read(_:_:)``, for what is quickly read: takes turns with others of its kind within one snapshot.
    func readBriefly<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) {
        if let read = admit(completion, body), reads.add(read) { readNext() }
    }

    private func readNext() {
        let reads = reads.take()
        guard !reads.isEmpty else { return }
        pool.asyncRead { [self] database in
            for read in reads { read.perform(database) }
            readNext()
        }
    }

    /// Nil for one that was refused.
    private func admit<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) -> ReadQueue.Read? {
        guard !committer.queue.isClosed else {
            completion(.failure(.closed))
            return nil
        }
        guard readsUnderWay.add(1, ordering: .relaxed).newValue <= options.waitingReads else {
            readsUnderWay.subtract(1, ordering: .relaxed)
            completion(.failure(.overloaded))
            return nil
        }
        return ReadQueue.Read { [self] database in
            let result = Result { try body(database.get()) }.mapError { error in
                // A read that was under way when the store closed finds no connection.
                committer.queue.isClosed ? StoreError.closed : damage.judged(error)
            }
            if case .failure(let failure) = result, failure != .closed { options.onFailure(failure) }
            readsUnderWay.subtract(1, ordering: .relaxed)
            completion(result)
        }
    }
}
