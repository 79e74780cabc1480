package import Deliveries
import Dispatch
import GRDB
import Inbox
package import Push
package import Store
import Synchronization

/// The store in one folder on this machine: one writer with group commit, readers beside it (SQLite in WAL mode).
///
/// A commit is on the disk before its callers hear of it (`synchronous=FULL`). A folder belongs to one store at a time.
package final class SQLiteStore: StoreEngine {
    let options: SQLiteStoreOptions
    private let folder: String
    let contents: ContentCache
    let inboxes: SharedInboxMemory
    let acknowledgements = Acknowledgements()
    let acknowledgementDelay = Mutex(AcknowledgementDelay())
    private let pool: DatabasePool
    private let lock: FolderLock
    /// The clock reading that the last process left; nil without one.
    package let lastClock: ClockReading?
    let pushJobs: PushJobIndex
    private let bus: any CommitBus
    private let committer: GroupCommitter
    private let reads: ReadQueue
    let damage: DamageWatch
    private let readsUnderWay = Atomic<Int>(0)
    let rest: Mutex<WriterRest>
    let statisticsRounds = Mutex(StatisticsRounds())

    /// Opens the store, and creates a missing folder or database.
    ///
    /// No lease of a push job outlives its store, as its holder is gone with it.
    /// - Throws: ``StoreOpenError``
    package init(folder: String, options: SQLiteStoreOptions) throws {
        lock = try FolderLock(folder: folder)
        let path = folder + "/belfry.sqlite"
        guard !OpenedDatabase.isLost(at: path) else { throw StoreOpenError.lostDatabase(path: path) }
        // Before SQLite opens the log, as it takes the readable part without a word.
        let survey = LogSurvey(ofDatabase: path)
        let opened = try OpenedDatabase(
            path: path, readers: options.readers, lockTimeout: options.lockTimeout,
            longestLog: options.longestLog, onMigration: options.onMigration)
        (self.options, self.folder) = (options, folder)
        pool = opened.pool
        contents = ContentCache(capacity: options.cachedContents, lastID: opened.lastContentID)
        inboxes = SharedInboxMemory(
            inboxes: options.rememberedInboxes, changeBytes: options.rememberedChangeBytes)
        rest = Mutex(WriterRest(after: options.restDelay))
        reads = ReadQueue(readers: options.readers)
        damage = DamageWatch(report: options.onDamage, reportRow: options.onDamagedRow)
        if let found = opened.damage { options.onFailure(damage.judged(found)) }
        pushJobs = opened.pushJobs
        lastClock = opened.lastClock
        if let survey { options.onLostCommits(survey, opened.newestEvent) }
        bus = LocalCommitBus(inboxes: inboxes)
        committer = GroupCommitter(
            options: options, contents: contents, bus: bus, pushJobs: pushJobs,
            waitingPushes: opened.waitingPushes, damage: damage,
            logLength: opened.logLength)
    }

    package func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        bus.onCommit(written, tell: tell, within: surround)
    }

    var isClosed: Bool { committer.queue.isClosed }

    package var isDamaged: Bool { damage.isDamaged }

    package var damagedRows: Int { damage.damagedRows }

    package var waitingRows: Int { committer.queue.waitingRows }

    package var maximumWaitingRows: Int { committer.queue.maximumRows }

    package var commitDurations: DurationCounts? { committer.durations.withLock { $0 } }
    package var waitingPushCounts: [Device.Provider: Int64]? { waitingPushes.by(options.providers) }
    package var freeBytes: Int64? { DiskSpace.free(at: folder) }

    var waitingPushes: PushCounts { committer.waitingPushes.withLock { $0 } }

    package func close(completion: @escaping @Sendable () -> Void) {
        takeAllAcknowledgementsAlong()
        committer.queue.close()
        pool.asyncWriteWithoutTransaction { [self] db in
            committer.drain(db)
            // Closing waits for the readers and for this very queue.
            DispatchQueue.global().async { [self] in
                // The writer's connection then closes last, and SQLite removes the log's file.
                if emptyLog() { pool.invalidateReadOnlyConnections() }
                // A connection that does not close ends with the process; all promised commits are on the disk already.
                try? pool.close()
                lock.release()
                completion()
            }
        }
    }

    /// Copies the whole log into the database's file, if time allows. Otherwise the next opening does it.
    /// - Returns: whether the log is empty.
    private func emptyLog() -> Bool {
        guard !damage.isDamaged else { return false }
        let isUnderWay = Mutex(true)
        let deadline = ContinuousClock.now + options.closingTime
        DispatchQueue.global().asyncAfter(deadline: .now() + options.closingTime / .seconds(1)) { [pool] in
            // Not while the connection is closing, or after that.
            isUnderWay.withLock { if $0 { pool.interrupt() } }
        }
        defer { isUnderWay.withLock { $0 = false } }
        // Behind all reads under way, which would hold it back. If it fails, the log stays.
        do {
            return try pool.barrierWriteWithoutTransaction { db in
                // The interruption ends only a running statement; SQLite promises nothing for one that begins after it.
                guard ContinuousClock.now < deadline else { return false }
                return try LogFile.empty(db, lockTimeout: options.lockTimeout)
            }
        } catch {
            // Copying took too long, or another caller has closed the connection: the disk has not failed.
            switch (error as? DatabaseError)?.resultCode {
            case .SQLITE_INTERRUPT?, .SQLITE_MISUSE?: break
            default: options.onFailure(damage.judged(error))
            }
            return false
        }
    }

    package var rules: StoreOptions { options.store }

    package func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        write(PublishWrite(publication, completion: completion))
    }

    package func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, owner: String?, expecting people: ExpectedPeople,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        write(
            ClosureWrite(rows: rows, isRehearsal: isRehearsal, owner: owner, completion: completion, perform: body))
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

    /// Runs `body` on the writer's queue, outside of all transactions; the connection may be closed by then.
    func withIdleWriter(_ body: @escaping @Sendable (Database) -> Void) { pool.asyncWriteWithoutTransaction(body) }

    package func read<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any StoreReads) throws -> Value
    ) {
        readDatabase(completion) { [self] db in try body(facts(in: db)) }
    }

    func facts(in db: Database) -> SQLiteReads {
        SQLiteReads(db: db, providers: rules.providers, contents: contents, jobs: pushJobs, damage: damage)
    }

    /// Runs `body` in a snapshot on one of the readers.
    func readDatabase<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) {
        if let read = admit(completion, body) { pool.asyncRead(read.perform) }
    }

    /// As ``readDatabase(_:_:)``, for short reads, which share a snapshot with others of their kind.
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

    /// Nil for a refused read.
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
                // A read under way finds no connection after the store has closed.
                committer.queue.isClosed ? StoreError.closed : damage.judged(error)
            }
            if case .failure(let failure) = result, failure != .closed { options.onFailure(failure) }
            readsUnderWay.subtract(1, ordering: .relaxed)
            completion(result)
        }
    }
}
