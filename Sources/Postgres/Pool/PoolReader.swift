import Dispatch
import Synchronization

/// One of a pool's readers: a queue, and the connection that is used there and nowhere else.
final class PoolReader: Sendable {
    private struct State: ~Copyable {
        var connection: PostgresConnection?
        var pace = ReconnectPace()
    }

    enum Readiness: Sendable {
        case ready
        /// It has no connection, and tries again after so long.
        case rests(Duration, PostgresFailure)
    }

    let queue: DispatchQueue
    /// Touched on the queue alone. The mutex says so to the compiler, and nobody ever waits for it.
    private let state = Mutex(State())

    init(number: Int) { queue = DispatchQueue(label: "belfry.postgres.reader.\(number)") }

    /// Makes a connection if there is none. Blocks for the connect time-out at most.
    func prepare(_ address: PostgresAddress, _ options: PostgresOptions) -> Readiness {
        state.withLock { state in
            // After a restart of the server, the session has ended while nobody looked at it.
            if let connection = state.connection, connection.isOpen, !connection.hasUnaskedInput { return .ready }
            state.connection = nil
            do throws(PostgresFailure) {
                state.connection = try PostgresConnection(address, options)
                state.pace.connected(at: .now)
                return .ready
            } catch {
                return .rests(state.pace.failed(at: .now, jitter: .random(in: 0..<1)), error)
            }
        }
    }

    /// Has the connection do a job.
    ///
    /// - Returns: how long to rest, if the connection was lost meanwhile.
    func run(_ job: @Sendable (PostgresConnection) -> Void) -> Duration? {
        state.withLock { state in
            guard let connection = state.connection else { return .zero }
            job(connection)
            if connection.isOpen { return nil }
            state.connection = nil
            return state.pace.failed(at: .now, jitter: .random(in: 0..<1))
        }
    }

    func close() { state.withLock { $0.connection = nil } }
}
