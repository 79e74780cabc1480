import Cluster
package import Deliveries
package import Inbox
package import Postgres
package import Store
import Synchronization

/// The engine for several machines: all rows are in PostgreSQL, and any number of processes may work on them.
package final class PostgresStore: StoreEngine {
    package let rules: StoreOptions
    package let lastClock: ClockReading?
    /// Whether other nodes had a lease when this one came. What they watch, or have watched, is in the database.
    package let hasOthers: Bool
    /// The database's clock.
    package var clock: DatabaseClock { options.clock }
    /// Whether this process has made the tables: nobody can have been connected before.
    package let isNew: Bool
    private let committer: PostgresCommitter
    private let readers: PostgresPool
    private let options: PostgresStoreOptions
    private let cluster: ClusterNode
    private let driftWalk = Mutex(DriftWalk())
    private let isClosed = Mutex(false)
    /// How many acknowledgements of each user are not written yet.
    private let acknowledging = Mutex<[UserID: Int]>([:])

    /// Connects, and makes the tables that are missing.
    ///
    /// - Throws: a failure of PostgreSQL, or ``UnfitDatabase``.
    package init(_ address: PostgresAddress, _ options: PostgresStoreOptions) throws {
        self.options = options
        rules = options.rules
        let meter = NodeMeter(at: .now)
        let writer = try PostgresWriter(address, options, meter: meter)
        lastClock = try writer.lastClock()
        isNew = writer.isNew
        readers = PostgresPool(address, options.connection)
        cluster = ClusterNode(
            options.node, options.rules, on: PostgresHost(address, options, readers: readers), meter: meter)
        committer = PostgresCommitter(writer, options, cluster: cluster)
        do {
            hasOthers = try cluster.start()
        } catch {
            readers.close()
            throw error
        }
    }

    package func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        cluster.bus.onCommit(written, tell: tell, within: surround)
    }

    /// The events that applications have left in this database.
    package var outbox: any Outbox { PostgresOutbox(readers: readers, failure: failure) }

    /// What a caller is told of a failure below; operators are told, too.
    private func failure(_ error: any Error) -> StoreError {
        let error = StoreError(error)
        options.onFailure(error)
        return error
    }

    // MARK: Transactions and snapshots

    package func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, owner: String?, expecting people: ExpectedPeople,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        committer.add(
            ClosureWrite(
                rows: rows, isRehearsal: isRehearsal, owner: owner, expecting: people, completion: completion,
                perform: body))
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
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        readers.read { [options, cluster] connection in
            try connection.transaction(.snapshot) {
                try body(
                    PostgresReads(
                        rows: PostgresRows(
                            connection, changeLogLength: options.rules.changeLogLength,
                            maximumDevices: options.maximumDevices, node: cluster.node)))
            }
        } then: { [self] result in
            completion(result.mapError(failure))
        }
    }

    package func readInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any InboxReads, InboxRecord) throws -> Value
    ) {
        let judge: @Sendable (Result<Value?, StoreError>) -> Void = { [self] result in
            switch result {
            case .success(let value?): completion(.success(value))
            case .success(nil): createInbox(of: user, completion) { [self] in readInbox(of: user, completion, body) }
            case .failure(let error): completion(.failure(error))
            }
        }
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        cluster.bus.whenOpen(.inbox(user)) { [self] isOpen in
            guard isOpen else { return completion(.failure(.overloaded)) }
            read(judge) { facts in
                let reads = try facts.inboxes
                return try reads.record(of: user).map { try body(reads, $0) }
            }
        }
    }

    package func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void
    ) {
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        cluster.bus.whenOpen(.feed(ExactText(feed))) { [self] isOpen in
            guard isOpen else { return completion(.failure(.overloaded)) }
            readItems(of: feed, query, with: pass, completion: completion)
        }
    }

    // MARK: Calls

    package func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        committer.add(PublishWrite(publication, completion: completion))
    }

    package func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?
    ) {
        acknowledging.withLock { $0[user, default: 0] += 1 }
        let done: @Sendable (Result<Void, StoreError>) -> Void = { [self] result in
            acknowledging.withLock { waiting in
                waiting[user]? -= 1
                if waiting[user] == 0 { waiting[user] = nil }
            }
            completion?(result)
        }
        write(
            rows: 1, isRehearsal: false, owner: nil, expecting: ExpectedPeople(acknowledging: [user]), done
        ) { open in
            .success(try PushWriter(open: open).acknowledge(user, upTo: seq, at: now))
        }
    }

    /// Pushes wait by the database's clock, which no node moves.
    package func follow(_ jump: ClockJump, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        completion(isClosed.withLock(\.self) ? .failure(.closed) : .success(()))
    }

    package func isAcknowledging(_ user: UserID) -> Bool { acknowledging.withLock { $0[user] != nil } }

    /// Others may have changed any inbox a moment ago, so the database is asked.
    package func rememberedState(of user: UserID) -> InboxState? { nil }
    package func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery? { nil }

    // MARK: Several nodes

    package func watch(_ subject: NewsSubject) { cluster.watch(subject) }
    package func unwatch(_ subject: NewsSubject) { cluster.unwatch(subject) }
    package func pass(_ items: [FeedItem]) { cluster.pass(items) }

    package func ask(_ question: NodeQuestion, completion: @escaping @Sendable ([Bool]) -> Void) {
        cluster.ask(question, completion)
    }

    package func onQuestion(
        _ answering: @escaping @Sendable (NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) -> Void
    ) {
        cluster.questions.onQuestion(answering)
    }

    package var isShared: Bool { true }
    package var isOnDuty: Bool { cluster.isOnDuty }
    package func onDuty(_ body: @escaping @Sendable () -> Void) { cluster.onDuty(body) }

    package func statistics(
        at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void
    ) {
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        readers.read { [self] connection in
            // Whoever asks meanwhile waits for the step.
            try driftWalk.withLock { walk in
                try PostgresFigures.statistics(on: connection, providers: rules.providers, &walk, at: now)
            }
        } then: { [self] result in
            completion(result.mapError(failure))
        }
    }

    package func nodes(completion: @escaping @Sendable (Result<[NodeLease]?, StoreError>) -> Void) {
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        readers.read { connection in
            try PostgresFigures.nodes(on: connection)
        } then: { [self] result in
            completion(result.mapError(failure))
        }
    }

    package var nodeFigures: NodeFigures? { cluster.figures }
    package var isDamaged: Bool { false }
    package var damagedRows: Int { 0 }
    package var waitingRows: Int { committer.waitingRows }
    package var maximumWaitingRows: Int { committer.maximumWaitingRows }

    package func close(completion: @escaping @Sendable () -> Void) {
        isClosed.withLock { $0 = true }
        committer.close { [self] in
            cluster.stop { [readers] in
                readers.close()
                completion()
            }
        }
    }
}
