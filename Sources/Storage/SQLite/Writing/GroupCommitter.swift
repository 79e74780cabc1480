import Dispatch
import GRDB
import Glibc
import Synchronization

/// Turns the writes that wait into commits: as many as came while the last commit was on its way to the disk.
final class GroupCommitter: Sendable {
    let queue: WriteQueue
    private let options: SQLiteStoreOptions
    private let contents: ContentCache
    private let inboxes: SharedInboxMemory
    private let damage: DamageWatch
    let syncing: LogSyncing
    private let copier: LogCopier
    private let memory: Mutex<WriterMemory>
    private let turns = Mutex(PushMemory())
    private let deviceRows = DeviceRowSearch()
    private let pushJobs: PushJobIndex
    /// As the last commit has left them.
    let waitingPushes: Mutex<PushCounts>
    private let relief: Mutex<LogRelief>
    private let listener = Mutex(Listener())

    /// - Parameters:
    ///   - inboxes: hears of each commit first, so that nobody who was told of one finds an older state there.
    ///   - pushJobs: those in the database.
    ///   - waitingPushes: how many they are.
    ///   - syncing: of the writer's log.
    ///   - logLength: which that may have.
    init(
        options: SQLiteStoreOptions, contents: ContentCache, inboxes: SharedInboxMemory, pushJobs: PushJobIndex,
        waitingPushes: PushCounts, damage: DamageWatch, syncing: LogSyncing, logLength: LogLength
    ) {
        self.options = options
        self.contents = contents
        self.inboxes = inboxes
        self.damage = damage
        self.syncing = syncing
        copier = LogCopier(logLength, longest: options.longestLog)
        self.pushJobs = pushJobs
        self.waitingPushes = Mutex(waitingPushes)
        relief = Mutex(LogRelief(pause: options.reliefPause))
        queue = WriteQueue(limit: options.waitingRows)
        patience = .milliseconds(Int(min(.seconds(2), options.restDelay) / .milliseconds(1)))
        memory = Mutex(WriterMemory(cachedInboxes: options.cachedInboxes))
    }

    /// A closure that lay bare in a generic box would be wrapped once more at each access, until the stack is too
    /// short.
    private struct Listener {
        var hear: @Sendable (Commit) -> Void = { _ in }
        var surround: @Sendable (_ announce: () -> Void) -> Void = { $0() }
    }

    func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        self.listener.withLock { $0 = Listener(hear: listener, surround: surround) }
    }

    /// Commits until nothing has come for a while. Runs on the writer's queue.
    ///
    /// The statements live for as long: to prepare them all, or to find them prepared, takes longer than a short
    /// commit.
    func drain(_ db: Database) {
        var tables = prepare(db)
        var (writes, reports): ([any Write], [WriteReport]) = ([], [])
        var pace = CommitPace(interval: options.commitInterval)
        while true {
            syncWhenIdle(db)
            let hasCome = awaitTurn(pace)
            writes = queue.takeAll(
                patience: hasCome ? patience : .nanoseconds(0), leaving: exchange(&writes, with: []))
            if writes.isEmpty { return }
            if pace.isLimited { pace.begins(at: .now) }
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

    /// Sleeps until something waits and the next commit may begin, where that is limited.
    /// - Returns: false if nothing has come in time.
    private func awaitTurn(_ pace: CommitPace) -> Bool {
        guard pace.isLimited else { return true }
        guard queue.awaitsWrite(within: patience) else { return false }
        let now = ContinuousClock.now
        guard let rest = pace.rest(at: now) else { return true }
        // What the disk misses is not to be missed for longer: the next commit takes it along.
        let longest = syncing.deadline.map { max(.zero, $0 - now) } ?? rest
        queue.awaitRows(CommitPace.fullRows, within: .nanoseconds(Int(min(rest, longest) / .nanoseconds(1))))
        return true
    }

    /// Has the disk take what it may miss, once nothing has come until then.
    private func syncWhenIdle(_ db: Database) {
        guard let deadline = syncing.deadline, !syncing.areLost else { return }
        let rest = max(.zero, deadline - .now)
        if queue.awaitsWrite(within: .nanoseconds(Int(rest / .nanoseconds(1)))) { return }
        do { try LogFile.sync(db) } catch { options.onFailure(judged(error)) }
    }

    private func judged(_ error: any Error) -> StoreError { damage.judged(error, isLost: syncing.areLost) }

    /// So many writes' room is kept from one commit to the next.
    private static let mostSpared = 4_096

    private func rows(of writes: ArraySlice<any Write>) -> Int { writes.reduce(0) { $0 + $1.rows } }

    /// While writes come more often than this, the writer keeps its thread and its statements: to find them all again
    /// takes 100 µs, as long as a commit. No longer than it keeps its pages.
    private let patience: DispatchTimeInterval

    /// Those from one on that share a transaction; one at least.
    private func firstGroup(of writes: [any Write], from start: Int) -> Range<Int> {
        var (end, rows) = (start, 0)
        while end < writes.count {
            let isRehearsal = writes[end].isRehearsal
            rows += writes[end].rows
            if end > start, isRehearsal || rows > options.rowsPerCommit { break }
            end += 1
            if isRehearsal { break }
        }
        return start..<end
    }

    /// - Parameters:
    ///   - writes: with those that join, behind the group.
    ///   - reports: empty, before and after it.
    ///   - isJoinable: whether what is queued by now may come along, as nothing that came before it waits.
    /// - Returns: the place behind the last one that was dealt with.
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
                announce(commit, reports)
                copyLog(db)
                reports.removeAll(keepingCapacity: true)
            }
        } catch {
            reports.removeAll(keepingCapacity: true)
            renew(&tables, db)
            let reason = judged(error)
            // With room for a while, all of them are tried once more, together.
            if reason == .diskFull, makeRoom(db) { return commit(rest, of: &writes, db, &tables, &reports) }
            // One of them is at fault, and nothing of any of them has been kept: each for itself, then.
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
            // What an earlier copying has written, and the disk has failed to take now, would not be written once more.
            let isLost = (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_FSYNC || syncing.areLost
            options.onFailure(damage.judged(error, isLost: isLost))
        }
    }

    /// A commit has found no room on the disk.
    /// - Returns: whether the log has given its own back.
    private func makeRoom(_ db: Database) -> Bool {
        guard relief.withLock({ $0.isDue(at: .now) }) else { return false }
        var isEmptied = false
        do {
            isEmptied = try LogFile.empty(db, lockTimeout: options.lockTimeout)
            if isEmptied { try copier.begin(db) }
        } catch {
            // Told beside the full disk: it is another failure.
            options.onFailure(judged(error))
        }
        relief.withLock { $0.tried(isEmptied: isEmptied, at: .now) }
        return isEmptied
    }

    private func announce(_ commit: Commit, _ reports: [WriteReport]) {
        if !commit.isEmpty { inboxes.apply(commit) }
        let listener = listener.withLock { $0 }
        listener.surround {
            if !commit.isEmpty { listener.hear(commit) }
            for report in reports { report.tell() }
        }
    }

    /// Whether somebody else has the database, with another tool. None of the writes is at fault, and each would wait
    /// as long for nothing, and hold up all that come after it.
    private func isLockedOut(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
    }

    /// Does it and undoes it. What it would remember or tell goes with its transaction, and so does what it has cached.
    private func rehearse(_ write: any Write, _ db: Database, _ tables: inout Result<WriterTables, any Error>) {
        do {
            // No number of a content that is there, or that will be for long.
            let contents = ContentCache(capacity: 256, lastID: .max / 2)
            let current = try tables.get()
            let open = OpenTransaction(
                db, current, options: options, memory: WriterMemory(cachedInboxes: options.cachedInboxes),
                newRows: NewRows(current.notifications, current.contents, contents, damage))
            let report = try current.transactions.rehearse { try write.perform(in: open) }
            _ = current.waitingPushes.takeChanges()
            report.tell()
        } catch {
            renew(&tables, db)
            fail([write], judged(error))
        }
    }

    private func fail(_ writes: ArraySlice<any Write>, _ failure: StoreError) {
        options.onFailure(failure)
        for write in writes { write.fail(failure) }
    }

    /// A statement that has failed tells its error once more when it is run again, to whoever runs it.
    private func renew(_ tables: inout Result<WriterTables, any Error>, _ db: Database) {
        deviceRows.forget()
        tables = prepare(db)
    }

    private func prepare(_ db: Database) -> Result<WriterTables, any Error> {
        Result { try WriterTables(db, options: options, contents: contents, deviceRows, syncing, pushJobs, damage) }
    }

    /// Commits the first of the writes, one report for each: all of them, unless they are more work than they said. How
    /// many members a topic has is known only here.
    /// - Parameters:
    ///   - group: with those that have joined.
    ///   - reports: gets them.
    private func perform(
        _ group: inout Range<Int>, of writes: inout [any Write], isJoinable: Bool, _ db: Database,
        _ tables: WriterTables, _ reports: inout [WriteReport]
    ) throws -> Commit {
        let open = OpenTransaction(db, tables, options: options, memory: takeMemory())
        let freeRows = isJoinable ? max(0, options.rowsPerCommit - rows(of: writes[group])) : 0
        // As many again mostly join if they may, and to make room for them later would move all that is there.
        open.reserve(writes: group.count + min(group.count, freeRows))
        open.turns = takeTurns()
        do {
            try tables.transactions.commit {
                try perform(writes[group], open, &reports)
                if isJoinable, open.isPromised, !open.isFull {
                    let joined = writes.count
                    writes += joining(rows: freeRows)
                    group = group.lowerBound..<writes.count
                    open.reserve(writes: writes.count - joined)
                    try perform(writes[joined...], open, &reports)
                }
                try open.flush()
                return open.isPromised
            }
        } catch {
            open.turns.rollBack()
            keep(&open.turns)
            throw error
        }
        let changes = tables.waitingPushes.takeChanges()
        if !changes.isZero { waitingPushes.withLock { $0.add(changes) } }
        memory.withLock { $0 = open.memory }
        relief.withLock { $0.committed() }
        open.turns.commit()
        keep(&open.turns)
        return open.commit
    }

    private func perform(
        _ writes: ArraySlice<any Write>, _ open: OpenTransaction, _ reports: inout [WriteReport]
    ) throws {
        try open.lookUpKeys(of: writes)
        open.prefetchInboxes(of: writes)
        for write in writes {
            if write.isPromised { open.promise() }
            reports.append(try write.perform(in: open))
            if open.isFull { return }
        }
    }

    /// What has come while the transaction was filled, with so many rows at most.
    ///
    /// Publishers that wait for their answers otherwise fall into two halves, of which one is committed while the other
    /// publishes again, and each event pays for half a way to the disk more. They are nearly there: where their
    /// requests wait for this core, they get it first, and the writer sleeps for nobody.
    ///
    /// Not where nobody is promised anything: such a commit waits for no disk, and comes the sooner.
    private func joining(rows limit: Int) -> [any Write] {
        sched_yield()
        return queue.takeMore(rows: limit)
    }

    /// Leaves an empty one behind: only a commit puts it back, and a rollback so forgets everything. With one owner at
    /// a time, writing to it copies nothing.
    private func takeMemory() -> WriterMemory {
        memory.withLock { exchange(&$0, with: WriterMemory(cachedInboxes: options.cachedInboxes)) }
    }

    /// Leaves an empty one behind, for the same reason; whatever becomes of the transaction, ``keep(_:)`` puts back
    /// what outlives it.
    private func takeTurns() -> PushMemory { turns.withLock { exchange(&$0, with: .empty) } }

    /// Leaves an empty one behind.
    private func keep(_ taken: inout PushMemory) {
        let memory = exchange(&taken, with: .empty)
        turns.withLock { $0 = memory }
    }
}
