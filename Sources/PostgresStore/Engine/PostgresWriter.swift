import Cluster
import Deliveries
import Postgres
import Store

/// Undoes a transaction that is to leave nothing behind.
private struct Undone: Error {}

/// Runs transactions of the rules on one connection, one after the other. Belongs to the writer's queue.
struct PostgresWriter: ~Copyable {
    private let address: PostgresAddress
    private let options: PostgresStoreOptions
    private let meter: NodeMeter
    /// Whether there were no tables before.
    let isNew: Bool
    private var connection: PostgresConnection?
    private var pace = ReconnectPace()
    /// Why there is no connection, and until when none is tried.
    private var outage: (failure: PostgresFailure, end: ContinuousClock.Instant)?
    private let contentNumbers = ContentNumbers()
    private let fronts = QueueFronts()
    private var trail = TrailRecorder()
    /// How far this process has swept; where others have, it finds nothing.
    private var sweeps = WriterMemory(cachedInboxes: 0)

    init(_ address: PostgresAddress, _ options: PostgresStoreOptions, meter: NodeMeter) throws {
        (self.address, self.options, self.meter) = (address, options, meter)
        let connection = try PostgresConnection(address, options.connection)
        isNew = try Schema.bring(connection)
        self.connection = connection
    }

    /// Performs a transaction, again if others were in its way, or if its connection had ended before.
    ///
    /// - Parameters:
    ///   - node: this one's number, for notes to others.
    ///   - body: may run several times.
    /// - Throws: what `body` throws, or a ``PostgresFailure``. Nothing is kept then, unless
    ///   ``PostgresFailure/isUnknown``.
    mutating func commit<Answer>(
        by node: Int64, _ body: (OpenTransaction) throws -> Answer
    ) throws -> (answer: Answer, commit: Commit) {
        var attempts = 1
        while true {
            do {
                return try attempt(by: node, body)
            } catch let failure as PostgresFailure where isWorthAnotherTry(failure, after: attempts) {
                attempts += 1
                meter.retried(Self.reason(for: failure))
            }
        }
    }

    /// A transaction whose outcome is unknown is not tried again: it might be stored twice.
    private mutating func isWorthAnotherTry(_ failure: PostgresFailure, after attempts: Int) -> Bool {
        if failure.isUnknown { return false }
        switch failure.meaning {
        case .tryAgain: return attempts < Self.mostAttempts
        // A server that was restarted is there again, and after a failover there may be another.
        case .connectionLost, .shuttingDown, .readOnly:
            connection?.close()
            return attempts == 1
        case .cannotConnect, .uniqueViolation, .outOfSpace, .timeOut, .other: return false
        }
    }

    private static func reason(for failure: PostgresFailure) -> NodeFigures.RetryReason {
        switch failure.sqlState {
        case "40001": .serialization
        case "40P01": .deadlock
        default: .connection
        }
    }

    /// Deadlocks end one of those that wait for each other, so few attempts do.
    private static let mostAttempts = 5

    private mutating func attempt<Answer>(
        by node: Int64, _ body: (OpenTransaction) throws -> Answer
    ) throws -> (answer: Answer, commit: Commit) {
        let connection = try openConnection()
        let open = open(on: connection, by: node, trail: trail)
        trail = TrailRecorder()
        let answer: Answer
        do {
            answer = try connection.transaction {
                let answer = try body(open)
                try open.flush()
                try NodeNotes.write(open.commit, by: node, on: connection)
                return answer
            }
        } catch {
            fronts.forget()
            throw error
        }
        meter.committed(in: connection.lastCommit)
        trail = open.trail
        (sweeps.nextSweep, sweeps.trailSweep) = (open.memory.nextSweep, open.memory.trailSweep)
        return (answer, open.commit)
    }

    /// Performs a transaction of which nothing is kept, not even in memory.
    mutating func rehearse<Answer>(
        by node: Int64, _ body: (OpenTransaction) throws -> Answer
    ) throws -> Answer {
        let connection = try openConnection()
        var answer: Answer?
        do {
            try connection.transaction {
                answer = try body(open(on: connection, by: node, trail: TrailRecorder()))
                throw Undone()
            }
        } catch is Undone {}
        guard let answer else { preconditionFailure("a body that does not throw answers") }
        return answer
    }

    mutating func close() { connection = nil }

    /// Others may have changed any row since the last transaction: nothing is remembered from one to the next.
    private func open(on connection: PostgresConnection, by node: Int64, trail: TrailRecorder) -> OpenTransaction {
        let rows = PostgresRows(
            connection, changeLogLength: options.rules.changeLogLength, maximumDevices: options.maximumDevices,
            node: node, contentNumbers: contentNumbers, fronts: fronts, makeEpoch: options.rules.makeEpoch)
        var memory = WriterMemory(cachedInboxes: options.inboxesPerTransaction)
        (memory.nextSweep, memory.trailSweep) = (sweeps.nextSweep, sweeps.trailSweep)
        return OpenTransaction(rows, options: options.rules, memory: memory, trail: trail)
    }

    private mutating func openConnection() throws -> PostgresConnection {
        if let connection, connection.isOpen { return connection }
        // Writes that come before the next try are answered at once.
        if let outage, outage.end > .now { throw outage.failure }
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(address, options.connection)
            pace.connected(at: .now)
            (self.connection, outage) = (connection, nil)
            return connection
        } catch {
            outage = (error, .now + pace.failed(at: .now, jitter: .random(in: 0..<1)))
            throw error
        }
    }

    /// The clock reading that the last process left.
    func lastClock() throws -> ClockReading? {
        guard let connection else { return nil }
        return try connection.run("SELECT boot, \"offset\" FROM clock").first.map {
            ClockReading(boot: try $0.text(0), offset: try $0.int64(1))
        }
    }
}
