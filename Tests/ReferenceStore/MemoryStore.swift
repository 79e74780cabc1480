package import Cluster
package import Deliveries
package import Inbox
import Push
package import Store
import Synchronization

/// A whole store in memory, for tests: the obvious engine, one commit after the other.
package final class MemoryStore: StoreEngine {
    package let rules: StoreOptions
    package let lastClock: ClockReading?
    package let database: MemoryDatabase
    /// This process's number at the database.
    private let process: Int
    private let executor: any StoreExecutor
    private let inboxes = SharedInboxMemory(inboxes: 1_000, changeBytes: 1 << 20)
    private let bus: LocalCommitBus
    /// Nil for a store that one process has for itself.
    private let cluster: ClusterNode?
    private let isClosed = Mutex(false)
    /// How many acknowledgements of each user are not written yet.
    private let acknowledging = Mutex<[UserID: Int]>([:])

    /// - Parameters:
    ///   - earlier: a store that is not used any more, whose rows this one has.
    ///   - executor: nil for one piece of work after the other, on a queue.
    package convenience init(
        _ rules: StoreOptions, maximumDevices: Int64 = .max, continuing earlier: MemoryStore? = nil,
        executor: (any StoreExecutor)? = nil
    ) {
        let (epoch, state) =
            earlier?.database.content.withLock { ($0.rows.epoch, $0.rows.state) }
            ?? (rules.makeEpoch(), MemoryState())
        let rows = MemoryRows(epoch: epoch, changeLogLength: rules.changeLogLength, maximumDevices: maximumDevices)
        rows.state = state
        self.init(
            rules, in: MemoryDatabase(rows, clock: rules.clock ?? { Timestamp(milliseconds: 0) }), executor: executor,
            cluster: nil)
    }

    /// A store that several nodes share.
    ///
    /// - Parameter cluster: this node, started.
    package convenience init(
        _ rules: StoreOptions, sharing database: MemoryDatabase, executor: any StoreExecutor, cluster: ClusterNode
    ) {
        self.init(rules, in: database, executor: executor, cluster: cluster)
    }

    private init(
        _ rules: StoreOptions, in database: MemoryDatabase, executor: (any StoreExecutor)?, cluster: ClusterNode?
    ) {
        (self.rules, self.database, self.cluster) = (rules, database, cluster)
        self.executor = executor ?? QueueExecutor()
        bus = LocalCommitBus(inboxes: inboxes)
        process = database.join(rules, isShared: cluster != nil)
        lastClock = cluster == nil ? database.state.clock : nil
    }

    package func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        if let cluster {
            cluster.bus.onCommit(written, tell: tell, within: surround)
        } else {
            bus.onCommit(written, tell: tell, within: surround)
        }
    }

    // MARK: Transactions and snapshots

    package func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, owner: String?, expecting people: ExpectedPeople,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        run(completion) { writer in
            if isRehearsal { return (try writer.rehearse(body), Commit()) }
            let done = try writer.commit(body)
            return (done.answer, done.commit)
        }
    }

    package func writeBehindAcknowledgements<Value: Sendable>(
        rows: Int, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        // Acknowledgements are writes of their own, in order.
        write(rows: rows, isRehearsal: false, completion, body)
    }

    package func read<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any StoreReads) throws -> Value
    ) {
        run(completion, isRead: true) { writer in (.success(try body(writer.reads)), Commit()) }
    }

    package func readInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any InboxReads, InboxRecord) throws -> Value
    ) {
        let judge: @Sendable (Result<(InboxState, Value)?, StoreError>) -> Void = { [self] result in
            inboxes.endRead(of: user, state: (try? result.get())??.0)
            switch result {
            case .success((_, let value)?): completion(.success(value))
            case .success(nil): createInbox(of: user, completion) { [self] in readInbox(of: user, completion, body) }
            case .failure(let error): completion(.failure(error))
            }
        }
        whenOpen(.inbox(user), completion) { [self] in
            inboxes.beginRead(of: user)
            read(judge) { facts in
                let reads = try facts.inboxes
                return try reads.record(of: user).map { ($0.state, try body(reads, $0)) }
            }
        }
    }

    /// Runs `body`, one after the other, and tells of its commit and its answer.
    private func run<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        isRead: Bool = false,
        _ body: @escaping @Sendable (MemoryWriter) throws -> (Result<Value, StoreError>, Commit)
    ) {
        guard !isClosed.withLock({ $0 }) else { return completion(.failure(.closed)) }
        let work: @Sendable () -> Void = { [self] in
            let (result, commit) = database.with(process, node: cluster?.node ?? 0) {
                writer -> (Result<Value, StoreError>, Commit) in
                if let error = executor.failure(isRead: isRead) { return (.failure(error), Commit()) }
                do { return try body(writer) } catch {
                    return (.failure(.failed(code: 1, message: "\(error)")), Commit())
                }
            }
            executor.announce { [self] in
                let told = executor.isTold() ? commit : Commit()
                if let cluster {
                    cluster.announce(told) { completion(result) }
                } else {
                    bus.announce(told) { completion(result) }
                }
            }
        }
        isRead ? executor.read(work) : executor.write(work)
    }

    /// Runs `body` once what is committed from now on will be told.
    private func whenOpen<Value>(
        _ subject: NewsSubject, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable () -> Void
    ) {
        guard let cluster else { return body() }
        cluster.bus.whenOpen(subject) { $0 ? body() : completion(.failure(.overloaded)) }
    }

    // MARK: Calls

    package func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        write(rows: publication.rows, isRehearsal: false, completion) { open in
            try PublishWriter(open: open).publish(publication)
        }
    }

    package func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?
    ) {
        acknowledging.withLock { $0[user, default: 0] += 1 }
        let done: @Sendable (Result<Void, StoreError>) -> Void = { [self] result in
            acknowledging.withLock { $0[user]? -= 1 }
            completion?(result)
        }
        write(rows: 1, isRehearsal: false, done) { open in
            .success(try PushWriter(open: open).acknowledge(user, upTo: seq, at: now))
        }
    }

    package func isAcknowledging(_ user: UserID) -> Bool { acknowledging.withLock { $0[user] ?? 0 > 0 } }

    package func rememberedState(of user: UserID) -> InboxState? {
        isClosed.withLock { $0 } || cluster != nil ? nil : inboxes.state(of: user)
    }

    package func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery? {
        isClosed.withLock { $0 } || cluster != nil ? nil : inboxes.recovery(of: user, from: position)
    }

    package func statistics(
        at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void
    ) {
        run(completion) { [inboxes, rules] writer in
            let state = writer.rows.state
            var counts = StoreCounts(began: now)
            (counts.inboxes, counts.devices) = (Int64(state.inboxes.count), Int64(state.devices.count))
            counts.notifications = Int64(state.notifications.count)
            let jobs = rules.providers.map { provider in
                (provider, Int64(state.jobs.values.count { $0.place.provider == provider.place }))
            }
            let statistics = StoreStatistics(
                pushJobsByProvider: Dictionary(uniqueKeysWithValues: jobs), counts: counts,
                remembered: inboxes.rememberedChanges)
            return (.success(statistics), Commit())
        }
    }

    // MARK: Several nodes

    package func watch(_ subject: NewsSubject) { cluster?.watch(subject) }
    package func unwatch(_ subject: NewsSubject) { cluster?.unwatch(subject) }
    package func pass(_ items: [FeedItem]) { cluster?.pass(items) }
    package func ask(_ question: NodeQuestion, completion: @escaping @Sendable ([Bool]) -> Void) {
        if let cluster { cluster.ask(question, completion) } else { completion([]) }
    }
    package func onQuestion(
        _ answering: @escaping @Sendable (NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) -> Void
    ) {
        cluster?.questions.onQuestion(answering)
    }
    package var isShared: Bool { cluster != nil }
    package var isOnDuty: Bool { cluster?.isOnDuty ?? true }
    package func onDuty(_ body: @escaping @Sendable () -> Void) { cluster?.onDuty(body) }
    package var nodeFigures: NodeFigures? { cluster?.figures }

    package var isDamaged: Bool { false }
    package var damagedRows: Int { 0 }
    package var waitingRows: Int { 0 }
    package var maximumWaitingRows: Int { .max }

    package func close(completion: @escaping @Sendable () -> Void) {
        isClosed.withLock { $0 = true }
        executor.write(completion)
    }
}
