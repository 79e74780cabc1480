import Postgres
import Store
import Synchronization

/// Counts what this node's operator is told. From any thread: the lock is held for an addition.
final class NodeMeter: Sendable {
    private struct State {
        var figures = NodeFigures()
        var pace = FiguresPace()
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// This process's running time, in whole microseconds: the sender of a ``NewsPayload/beat(_:)`` hears it itself.
    var runningMicroseconds: Int64 { Int64((.now - start) / .microseconds(1)) }

    // MARK: Counting

    func committed(in duration: Duration) { state.withLock { $0.figures.commits.record(duration) } }

    /// - Parameter failure: why the transaction is tried again.
    func retried(_ failure: PostgresFailure) {
        let reason: NodeFigures.RetryReason =
            switch failure.sqlState {
            case "40001": .serialization
            case "40P01": .deadlock
            default: .connection
            }
        state.withLock { $0.figures.retries[reason, default: 0] += 1 }
    }

    /// Notes a beat that went well.
    func beat(nodes: Int, roundTrip: Duration) {
        state.withLock { state in
            state.figures.nodes = nodes
            state.figures.roundTrips.record(roundTrip)
        }
    }

    func beatFailed() { state.withLock { $0.figures.nodes = nil } }

    /// - Parameter microseconds: as ``runningMicroseconds`` when it was sent.
    func heardBeat(sentAt microseconds: Int64) {
        let lag = Duration.microseconds(max(0, runningMicroseconds - microseconds))
        state.withLock { $0.figures.listenerLag.record(lag) }
    }

    // MARK: The database's figures

    /// Whether they are to be read now; ``read(_:)`` ends that.
    func beginsReading() -> Bool { state.withLock { $0.pace.begins(at: .now) } }

    func read(_ figures: DatabaseFigures?) { state.withLock { $0.pace.ended(figures, at: .now) } }

    // MARK: Telling

    /// - Parameter isCaretaker: figures of the database are the caretaker's alone.
    func figures(isCaretaker: Bool, lostWakeUps: Int) -> NodeFigures {
        state.withLock { state in
            var figures = state.figures
            (figures.isCaretaker, figures.lostWakeUps) = (isCaretaker, lostWakeUps)
            figures.database = isCaretaker ? state.pace.figures(at: .now) : nil
            return figures
        }
    }
}
