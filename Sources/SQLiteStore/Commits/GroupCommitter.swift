import Deliveries
import Dispatch
import GRDB
import Glibc
import Store
import Synchronization

/// Turns waiting writes into commits: each takes all that came while the last one was on its way to the disk.
final class GroupCommitter: Sendable {
    let queue: WriteQueue
    private let options: SQLiteStoreOptions
    private let contents: ContentCache
    private let bus: any CommitBus
    private let damage: DamageWatch
    private let copier: LogCopier
    private let memory: Mutex<WriterMemory>
    private let turns = Mutex(PushMemory())
    private let deviceRows = DeviceRowSearch()
    private let pushJobs: PushJobIndex
    /// The counts as the last commit left them.
    let waitingPushes: Mutex<PushCounts>
    private let relief: Mutex<LogRelief>
    /// From a transaction's begin to its commit on the disk.
    let durations = Mutex(DurationCounts())

    /// - Parameters:
    ///   - bus: hears of each commit.
    ///   - pushJobs: the jobs in the database.
    ///   - waitingPushes: their counts.
    ///   - logLength: the limits on the log's length.
    init(
        options: SQLiteStoreOptions, contents: ContentCache, bus: any CommitBus, pushJobs: PushJobIndex,
        waitingPushes: PushCounts, damage: DamageWatch, logLength: LogLength
    ) {
        self.options = options
        self.contents = contents
        self.bus = bus
        self.damage = damage
        copier = LogCopier(logLength, longest: options.longestLog)
        self.pushJobs = pushJobs
        self.waitingPushes = Mutex(waitingPushes)
        relief = Mutex(LogRelief(pause: options.reliefPause))
        queue = WriteQueue(limit: options.waitingRows)
        patience = .milliseconds(Int(min(.seconds(2), options.restDelay) / .milliseconds(1)))
        memory = Mutex(WriterMemory(cachedInboxes: options.cachedInboxes))
    }

    /// Commits until no write has come for a while. Runs on the writer's queue.
    ///
    /// The statements live as long as this call: to prepare or to find them takes longer than a short commit.
    func drain(_ db: Database) {
        var tables = prepare(db)
        var (writes, reports): ([any Write], [WriteReport]) = ([], [])
        var pace = CommitPace(interval: options.commitInterval)
        while true {
            let hasCome = awaitTurn(pace)
            writes = queue.takeAll(
                patience: hasCome ? patience : .nanoseconds(0), leaving: exchange(&writes, with: []))
            if writes.isEmpty { return }
            if pace.isLimited { pace.begins(at: .now) }
            if rows(of: writes[...]) > options.rowsPerCommit {
                commitInTurns(writes, db, &tables, &reports)
                writes = []
                continue
            }
            var start = 0
            while start < writes.count {
                let group = firstGroup(of: writes, from: start)
                queue.begin(rows: rows(of: writes[group]))
                if writes[start].isRehearsal {
                    rehearse(writes[start], db, &tables)
                    start = group.upperBound
                } else {
                    start = commit(
                        group, of: &writes, db, &tables, &reports, isJoinable: group.upperBound == writes.count)
                }
            }
            if writes.capacity > Self.mostSpared { writes = [] } else { writes.removeAll(keepingCapacity: true) }
        }
    }

    /// Commits more than one commit's worth, and all that comes meanwhile: a flood of one publisher delays others by one
    /// commit.
    private func commitInTurns(
        _ waiting: [any Write], _ db: Database, _ tables: inout Result<WriterTables, any Error>,
        _ reports: inout [WriteReport]
    ) {
        var turns = WriteTurns()
        turns.add(waiting)
        while !turns.isEmpty {
            // Where others wait, shorter commits keep them waiting less.
            let limit = turns.isShared ? min(options.rowsPerCommit, CommitPace.fullRows) : options.rowsPerCommit
            var group = turns.next(rows: limit)
            queue.begin(rows: rows(of: group[...]))
            if group[0].isRehearsal {
                rehearse(group[0], db, &tables)
            } else {
                commit(group.indices, of: &group, db, &tables, &reports)
            }
            if !turns.isEmpty { turns.add(queue.takeWaiting()) }
        }
    }

    /// Where the pace is limited, sleeps until something waits and the next commit may begin.
    /// - Returns: false if nothing has come in time.
    private func awaitTurn(_ pace: CommitPace) -> Bool {
        guard pace.isLimited else { return true }
        guard queue.awaitsWrite(within: patience) else { return false }
        let now = ContinuousClock.now
        guard let rest = pace.rest(at: now) else { return true }
        queue.awaitRows(CommitPace.fullRows, within: .nanoseconds(Int(rest / .nanoseconds(1))))
        return true
    }

    /// The most writes whose room is kept from one commit to the next.
    private static let mostSpared = 4_096

    private func rows(of writes: ArraySlice<any Write>) -> Int { writes.reduce(0) { $0 + $1.rows } }

    /// While writes come more often than this, the writer keeps its thread and its statements: to find them again takes
    /// 100 µs, as long as a commit. Never longer than the writer keeps its pages.
    private let patience: DispatchTimeInterval

    /// The writes from `start` on that share a transaction: all up to a rehearsal, or one.
    private func firstGroup(of writes: [any Write], from start: Int) -> Range<Int> {
        if writes[start].isRehearsal { return start..<(start + 1) }
        return start..<(writes[start...].firstIndex(where: \.isRehearsal) ?? writes.count)
    }

    /// - Parameters:
    ///   - writes: all that were taken from the queue. Those that join are appended.
    ///   - reports: empty, before and after the call.
    ///   - isJoinable: whether writes queued by now may join. They may not overtake writes that came before them.
    /// - Returns: the place behind the last write that was dealt with.
    @discardableResult
    private func commit(
        _ group: Range<Int>, of writes: inout [any Write], _ db: Database,
        _ tables: inout Result<WriterTables, any Error>, _ reports: inout [WriteReport], isJoinable: Bool = false
    ) -> Int {
        var rest = group
        guard !damage.isDamaged else {
            for write in writes[rest] { write.fail(.damaged) }
            return rest.upperBound
        }
        do {
            while !rest.isEmpty {
                let commit = try perform(&rest, of: &writes, isJoinable: isJoinable, db, tables.get(), &reports)
                rest = (rest.lowerBound + reports.count)..<rest.upperBound
                bus.announce(commit) {
                    for report in reports { report.tell() }
                }
                copyLog(db)
                reports.removeAll(keepingCapacity: true)
            }
        } catch {
            reports.removeAll(keepingCapacity: true)
            renew(&tables, db)
            let reason = damage.judged(error)
            // The log's room lasts for a while: all of them are tried once more, together.
            if reason == .diskFull, makeRoom(db) { return commit(rest, of: &writes, db, &tables, &reports) }
            // One of them is at fault, and nothing was kept. So each is tried alone.
            if rest.count > 1, reason != .damaged, !isLockedOut(error) {
                for place in rest { commit(place..<(place + 1), of: &writes, db, &tables, &reports) }
            } else {
                fail(writes[rest], reason)
            }
        }
        return rest.upperBound
    }

    private func copyLog(_ db: Database) {
        do { try copier.committed(db) } catch {
            // SQLite would not write again what an earlier copying wrote and the disk has now failed to sync.
            let isLost = (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_FSYNC
            options.onFailure(damage.judged(error, isLost: isLost))
        }
    }

    /// Empties the log after a commit has found no room on the disk.
    /// - Returns: whether the log has given back its room.
    private func makeRoom(_ db: Database) -> Bool {
        guard relief.withLock({ $0.isDue(at: .now) }) else { return false }
        var isEmptied = false
        do {
            isEmptied = try LogFile.empty(db, lockTimeout: options.lockTimeout)
            if isEmptied { try copier.begin(db) }
        } catch {
            // Reported beside the full disk, as it is another failure.
            options.onFailure(damage.judged(error))
        }
        relief.withLock { $0.tried(isEmptied: isEmptied, at: .now) }
        return isEmptied
    }

    /// Whether another tool holds the database. No write is at fault then: each would wait as long in vain, and hold up
    /// all behind it.
    private func isLockedOut(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
    }

    /// Performs the write and undoes it. All that it would remember, announce or cache goes with its transaction.
    private func rehearse(_ write: any Write, _ db: Database, _ tables: inout Result<WriterTables, any Error>) {
        do {
            // Contents get numbers that a row may have, but that no content has now or for long to come.
            let contents = ContentCache(capacity: 256, lastID: CheckedRow.furthest / 2)
            let current = try tables.get()
            let newRows = NewRows(
                current.notifications, current.contents, current.contentSources, contents, damage)
            let open = OpenTransaction(
                SQLiteRows(db, current, rehearsing: newRows), options: options.store,
                memory: WriterMemory(cachedInboxes: options.cachedInboxes))
            let report = try current.transactions.rehearse { try write.perform(in: open) }
            _ = current.waitingPushes.takeChanges()
            report.tell()
        } catch {
            renew(&tables, db)
            fail([write], damage.judged(error))
        }
    }

    private func fail(_ writes: ArraySlice<any Write>, _ failure: StoreError) {
        options.onFailure(failure)
        for write in writes { write.fail(failure) }
    }

    /// Forgets what the tables know of the undone transaction, such as the places that it gave to pushes.
    private func renew(_ tables: inout Result<WriterTables, any Error>, _ db: Database) {
        deviceRows.forget()
        tables = prepare(db)
    }

    private func prepare(_ db: Database) -> Result<WriterTables, any Error> {
        Result { try WriterTables(db, options: options, contents: contents, deviceRows, pushJobs, damage) }
    }

    /// Commits the first of the writes, one report for each: all, unless they are more work than announced. How many
    /// members a topic has is known only here.
    ///
    /// - Parameters:
    ///   - group: gets those that join.
    ///   - reports: gets one report for each committed write.
    private func perform(
        _ group: inout Range<Int>, of writes: inout [any Write], isJoinable: Bool, _ db: Database,
        _ tables: WriterTables, _ reports: inout [WriteReport]
    ) throws -> Commit {
        let sqlite = SQLiteRows(db, tables, takeTurns())
        let open = OpenTransaction(
            sqlite, options: options.store, memory: takeMemory(),
            trail: exchange(&tables.spareTrail, with: TrailRecorder()))
        let freeRows = isJoinable ? max(0, options.rowsPerCommit - rows(of: writes[group])) : 0
        // Mostly as many again join if they may; making room for them later would move everything.
        open.reserve(writes: group.count + min(group.count, freeRows))
        let began = ContinuousClock.now
        do {
            try tables.transactions.commit {
                try perform(writes[group], open, &reports)
                if isJoinable, !open.isFull {
                    let joined = writes.count
                    writes += joining(rows: freeRows)
                    group = group.lowerBound..<writes.count
                    open.reserve(writes: writes.count - joined)
                    try perform(writes[joined...], open, &reports)
                }
                try open.flush()
            }
            swap(&open.trail, &tables.spareTrail)
        } catch {
            sqlite.turns.memory.rollBack()
            keep(&sqlite.turns.memory)
            throw error
        }
        durations.withLock { $0.record(ContinuousClock.now - began) }
        let changes = tables.waitingPushes.takeChanges()
        if !changes.isZero { waitingPushes.withLock { $0.add(changes) } }
        memory.withLock { $0 = open.memory }
        relief.withLock { $0.committed() }
        sqlite.turns.memory.commit()
        keep(&sqlite.turns.memory)
        return open.commit
    }

    private func perform(
        _ writes: ArraySlice<any Write>, _ open: OpenTransaction, _ reports: inout [WriteReport]
    ) throws {
        try open.lookUpKeys(keys(of: writes))
        for write in writes {
            reports.append(try write.perform(in: open))
            if open.isFull { return }
        }
    }

    /// Those that are worth looking up together.
    private func keys(of writes: ArraySlice<any Write>) -> [EventKey] {
        // One event for one person has two rows.
        guard writes.count > 1 || writes.contains(where: { $0.rows > 2 }) else { return [] }
        var names: [EventKey] = []
        names.reserveCapacity(writes.count)
        for write in writes { write.gatherKeys(into: &names) }
        return names
    }

    /// Writes that came while the transaction was filled, with at most so many rows.
    ///
    /// Without them, publishers that wait for answers fall into two halves: one is committed while the other publishes
    /// again. Each event then pays for half a disk write more. Their requests are nearly there. Those that wait for
    /// this core get it first; the writer sleeps for nobody.
    private func joining(rows limit: Int) -> [any Write] {
        sched_yield()
        return queue.takeMore(rows: limit)
    }

    /// Leaves an empty memory behind: only a commit puts it back, so a rollback forgets everything. With one owner at a
    /// time, writing to it copies nothing.
    private func takeMemory() -> WriterMemory {
        memory.withLock { exchange(&$0, with: WriterMemory(cachedInboxes: options.cachedInboxes)) }
    }

    /// Leaves an empty one behind, as writes to a single owner's copy nothing. ``keep(_:)`` puts back all that outlives
    /// the transaction, even after a rollback.
    private func takeTurns() -> PushMemory { turns.withLock { exchange(&$0, with: .empty) } }

    /// Puts back what ``takeTurns()`` took, and leaves an empty one with the caller.
    private func keep(_ taken: inout PushMemory) {
        let memory = exchange(&taken, with: .empty)
        turns.withLock { $0 = memory }
    }
}
