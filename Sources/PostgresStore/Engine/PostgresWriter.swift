import Deliveries
import Postgres
import Store

/// Undoes a transaction that is to leave nothing behind.
private struct Undone: Error {}

/// Runs transactions of the rules on one connection, one after the other. Belongs to the writer's queue.
struct PostgresWriter: ~Copyable {
    private let address: PostgresAddress
    private let options: PostgresStoreOptions
    /// Whether there were no tables before.
    let isNew: Bool
    private var connection: PostgresConnection?
    private let fronts = QueueFronts()
    private var trail = TrailRecorder()
    /// How far this process has swept; where others have, it finds nothing.
    private var sweeps = WriterMemory(cachedInboxes: 0)

    init(_ address: PostgresAddress, _ options: PostgresStoreOptions) throws {
        (self.address, self.options) = (address, options)
        let connection = try PostgresConnection(address)
        isNew = try Schema.bring(connection)
        self.connection = connection
    }

    /// Performs a transaction, again if others were in its way. Nothing is kept of one that throws.
    ///
    /// - Parameters:
    ///   - node: this one's number, for notes to others.
    ///   - body: may run several times.
    mutating func commit<Answer>(
        by node: Int64, _ body: (OpenTransaction) throws -> Result<Answer, StoreError>
    ) throws -> (answer: Result<Answer, StoreError>, commit: Commit) {
        var attempts = 1
        while true {
            do {
                return try attempt(by: node, body)
            } catch let failure as PostgresFailure where failure.meaning == .tryAgain && attempts < Self.mostAttempts {
                attempts += 1
            }
        }
    }

    /// Deadlocks end one of those that wait for each other, so few attempts do.
    private static let mostAttempts = 5

    private mutating func attempt<Answer>(
        by node: Int64, _ body: (OpenTransaction) throws -> Result<Answer, StoreError>
    ) throws -> (answer: Result<Answer, StoreError>, commit: Commit) {
        let connection = try openConnection()
        let open = open(on: connection, trail: trail)
        trail = TrailRecorder()
        let answer: Result<Answer, StoreError>
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
        trail = open.trail
        (sweeps.nextSweep, sweeps.trailSweep) = (open.memory.nextSweep, open.memory.trailSweep)
        return (answer, open.commit)
    }

    /// Performs a transaction of which nothing is kept, not even in memory.
    mutating func rehearse<Answer>(_ body: (OpenTransaction) throws -> Answer) throws -> Answer {
        let connection = try openConnection()
        var answer: Answer?
        do {
            try connection.transaction {
                answer = try body(open(on: connection, trail: TrailRecorder()))
                throw Undone()
            }
        } catch is Undone {}
        guard let answer else { preconditionFailure("a body that does not throw answers") }
        return answer
    }

    mutating func close() { connection = nil }

    /// Others may have changed any row since the last transaction: nothing is remembered from one to the next.
    private func open(on connection: PostgresConnection, trail: TrailRecorder) -> OpenTransaction {
        let rows = PostgresRows(
            connection, changeLogLength: options.rules.changeLogLength, maximumDevices: options.maximumDevices,
            fronts: fronts)
        var memory = WriterMemory(cachedInboxes: options.inboxesPerTransaction)
        (memory.nextSweep, memory.trailSweep) = (sweeps.nextSweep, sweeps.trailSweep)
        return OpenTransaction(rows, options: options.rules, memory: memory, trail: trail)
    }

    private mutating func openConnection() throws -> PostgresConnection {
        if let connection, connection.isOpen { return connection }
        let connection = try PostgresConnection(address)
        self.connection = connection
        return connection
    }

    /// The clock reading that the last process left.
    func lastClock() throws -> ClockReading? {
        guard let connection else { return nil }
        return try connection.run("SELECT boot, \"offset\" FROM clock").first.map {
            ClockReading(boot: try $0.text(0), offset: try $0.int64(1))
        }
    }
}
