import Dispatch
import Synchronization

/// A bounded number of connections for readers, each with its own queue.
///
/// Jobs wait in order. A lost connection is made again by its reader, at a ``ReconnectPace``, while jobs go to the
/// others. It lives until ``close()``.
package final class PostgresPool: Sendable {
    private struct Job: Sendable {
        let run: @Sendable (PostgresConnection) -> Void
        let refuse: @Sendable (PostgresPoolRefusal) -> Void
    }

    private struct State {
        var line: PoolLine<Job>
        /// Of the last attempt to connect; nil after one that succeeded.
        var failure: PostgresFailure?
        var isTimerSet = false
        var isClosed = false
    }

    private let address: PostgresAddress
    private let options: PostgresOptions
    private let readers: [PoolReader]
    private let timer = DispatchQueue(label: "belfry.postgres.pool")
    private let state: Mutex<State>

    /// Begins to connect all readers, and returns at once.
    package init(
        _ address: PostgresAddress, _ options: PostgresOptions = .init(), _ pool: PostgresPoolOptions = .init()
    ) {
        (self.address, self.options) = (address, options)
        state = Mutex(State(line: PoolLine(limit: pool.waiting, patience: pool.patience)))
        readers = (0..<max(1, pool.readers)).map { PoolReader(number: $0) }
        for number in readers.indices { readers[number].queue.async { self.serve(number) } }
    }

    /// How many jobs wait for a reader.
    package var waiting: Int { state.withLock { $0.line.waiting } }

    /// Has a reader run `body`, and hands on what it returned or threw.
    ///
    /// `completion` is called once: on the reader's queue, on the pool's own after a wait that was too long, and on the
    /// caller's thread if the pool is full or closed. A ``PostgresPoolRefusal`` means that `body` did not run.
    ///
    /// A reader looks at its connection before each job. A job fails only if the server goes while it runs.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value,
        then completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let job = Job(
            run: { connection in completion(Result { try body(connection) }) },
            refuse: { completion(.failure($0)) })
        let refusal: PostgresPoolRefusal? = state.withLock { state in
            if state.isClosed { return .closed }
            switch state.line.enter(job, at: .now) {
            case .full: return .full
            case .waits: break
            case .wake(let reader):
                readers[reader].queue.async {
                    self.state.withLock { $0.line.wakes() }
                    self.serve(reader)
                }
            }
            setTimer(&state)
            return nil
        }
        if let refusal { job.refuse(refusal) }
    }

    /// Takes no more jobs, refuses those that wait, and closes each connection after its job.
    package func close() {
        let jobs = state.withLock { state in
            state.isClosed = true
            return state.line.removeAll()
        }
        for job in jobs { job.refuse(.closed) }
        for reader in readers { reader.queue.async { reader.close() } }
    }

    // MARK: Readers

    /// Does jobs until none waits, or the connection is lost. Runs on the reader's queue.
    private func serve(_ number: Int) {
        let reader = readers[number]
        while !state.withLock({ $0.isClosed }) {
            switch reader.prepare(address, options) {
            case .rests(let rest, let failure):
                state.withLock { $0.failure = failure }
                return serve(number, after: rest)
            case .ready: break
            }
            let job = state.withLock { state in
                state.failure = nil
                return state.isClosed ? nil : state.line.next(for: number)
            }
            guard let job else { return }
            if let rest = reader.run(job.run) { return serve(number, after: rest) }
        }
        reader.close()
    }

    private func serve(_ number: Int, after rest: Duration) {
        readers[number].queue.asyncAfter(deadline: .now() + .milliseconds(Int(rest.milliseconds))) {
            self.serve(number)
        }
    }

    // MARK: Patience

    /// One timer for the first in line: the others are late after it.
    private func setTimer(_ state: inout State) {
        guard !state.isTimerSet, let deadline = state.line.deadline else { return }
        state.isTimerSet = true
        let left = max(0, (deadline - .now).milliseconds)
        timer.asyncAfter(deadline: .now() + .milliseconds(Int(left))) { self.expire() }
    }

    private func expire() {
        let (late, failure) = state.withLock { state in
            state.isTimerSet = false
            let late = state.line.expire(at: .now)
            setTimer(&state)
            return (late, state.failure)
        }
        for job in late { job.refuse(.late(failure)) }
    }
}
