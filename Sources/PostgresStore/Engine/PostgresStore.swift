package import Deliveries
import Dispatch
package import Inbox
package import Postgres
package import Store
import Synchronization

/// The engine for several machines: all rows are in PostgreSQL, and any number of processes may work on them.
package final class PostgresStore: StoreEngine {
    package let rules: StoreOptions
    package let lastClock: ClockReading?
    /// Whether this process has made the tables: nobody can have been connected before.
    package let isNew: Bool
    /// Touched on the queue alone. The mutex says so to the compiler.
    private let writer: Mutex<PostgresWriter>
    private let queue = DispatchQueue(label: "belfry.postgres.writer")
    private let readers: PostgresPool
    private let options: PostgresStoreOptions
    private let inboxes: SharedInboxMemory
    private let bus: LocalCommitBus
    private let isClosed = Mutex(false)
    /// How many acknowledgements of each user are not written yet.
    private let acknowledging = Mutex<[UserID: Int]>([:])

    /// Connects, and makes the tables that are missing.
    ///
    /// - Throws: a failure of PostgreSQL, or ``UnfitDatabase``.
    package init(_ address: PostgresAddress, _ options: PostgresStoreOptions) throws {
        self.options = options
        rules = options.rules
        let writer = try PostgresWriter(address, options)
        lastClock = try writer.lastClock()
        isNew = writer.isNew
        self.writer = Mutex(writer)
        readers = PostgresPool(address)
        inboxes = SharedInboxMemory(inboxes: options.rememberedInboxes, changeBytes: options.rememberedChangeBytes)
        bus = LocalCommitBus(inboxes: inboxes)
    }

    package func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        bus.onCommit(listener, within: surround)
    }

    /// What a caller is told of a failure below; operators are told, too.
    private func failure(_ error: any Error) -> StoreError {
        let error = StoreError(error)
        options.onFailure(error)
        return error
    }

    // MARK: Transactions and snapshots

    package func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, owner: String?,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        queue.async { [self] in
            var (result, commit): (Result<Value, StoreError>, Commit)
            do {
                (result, commit) = try writer.withLock { writer in
                    isRehearsal ? (try writer.rehearse(body), Commit()) : try writer.commit(body)
                }
            } catch {
                (result, commit) = (.failure(failure(error)), Commit())
            }
            let answer = result
            bus.announce(commit) { completion(answer) }
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
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        readers.read { [options] connection in
            try connection.transaction(.snapshot) {
                try body(
                    PostgresReads(
                        rows: PostgresRows(
                            connection, changeLogLength: options.rules.changeLogLength,
                            maximumDevices: options.maximumDevices)))
            }
        } then: { [self] result in
            completion(result.mapError(failure))
        }
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
        inboxes.beginRead(of: user)
        read(judge) { facts in
            let reads = try facts.inboxes
            return try reads.record(of: user).map { ($0.state, try body(reads, $0)) }
        }
    }

    // MARK: Calls

    package func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        write(rows: publication.rows, isRehearsal: false, owner: publication.publisher, completion) { open in
            try PublishWriter(open: open).publish(publication)
        }
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
        write(rows: 1, isRehearsal: false, done) { open in
            .success(try PushWriter(open: open).acknowledge(user, upTo: seq, at: now))
        }
    }

    package func isAcknowledging(_ user: UserID) -> Bool { acknowledging.withLock { $0[user] != nil } }

    package func rememberedState(of user: UserID) -> InboxState? {
        isClosed.withLock(\.self) ? nil : inboxes.state(of: user)
    }

    package func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery? {
        isClosed.withLock(\.self) ? nil : inboxes.recovery(of: user, from: position)
    }

    package func statistics(
        at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void
    ) {
        guard !isClosed.withLock(\.self) else { return completion(.failure(.closed)) }
        readers.read { [rules, inboxes] connection in
            try PostgresFigures.statistics(
                on: connection, providers: rules.providers, remembered: inboxes.rememberedChanges, at: now)
        } then: { [self] result in
            completion(result.mapError(failure))
        }
    }

    package var isDamaged: Bool { false }
    package var damagedRows: Int { 0 }
    package var waitingRows: Int { 0 }

    package func close(completion: @escaping @Sendable () -> Void) {
        isClosed.withLock { $0 = true }
        readers.close()
        queue.async { [self] in
            writer.withLock { $0.close() }
            completion()
        }
    }
}
