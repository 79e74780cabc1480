package import Store
import Synchronization

/// Counts what this node's operator is told. From any thread: the lock is held for an addition.
package final class NodeMeter: Sendable {
    private struct State {
        var figures = NodeFigures()
        var pace = FiguresPace()
    }

    private let state = Mutex(State())
    private let start: ContinuousClock.Instant

    package init(at now: ContinuousClock.Instant) { start = now }

    /// This process's running time, in whole microseconds: the sender of a ``NewsPayload/beat(_:)`` hears it itself.
    func runningMicroseconds(at now: ContinuousClock.Instant) -> Int64 { Int64((now - start) / .microseconds(1)) }

    // MARK: Counting

    package func committed(in duration: Duration) { state.withLock { $0.figures.commits.record(duration) } }

    /// - Parameter reason: why the transaction is tried again.
    package func retried(_ reason: NodeFigures.RetryReason) {
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

    /// - Parameter microseconds: as ``runningMicroseconds(at:)`` when it was sent.
    func heardBeat(sentAt microseconds: Int64, _ now: ContinuousClock.Instant) {
        let lag = Duration.microseconds(max(0, runningMicroseconds(at: now) - microseconds))
        state.withLock { $0.figures.listenerLag.record(lag) }
    }

    // MARK: The database's figures

    /// Whether they are to be read now; ``read(_:at:)`` ends that.
    func beginsReading(at now: ContinuousClock.Instant) -> Bool { state.withLock { $0.pace.begins(at: now) } }

    func read(_ figures: DatabaseFigures?, at now: ContinuousClock.Instant) {
        state.withLock { $0.pace.ended(figures, at: now) }
    }

    // MARK: Telling

    /// - Parameter isCaretaker: figures of the database are the caretaker's alone.
    func figures(isCaretaker: Bool, lostWakeUps: Int, at now: ContinuousClock.Instant) -> NodeFigures {
        state.withLock { state in
            var figures = state.figures
            (figures.isCaretaker, figures.lostWakeUps) = (isCaretaker, lostWakeUps)
            figures.database = isCaretaker ? state.pace.figures(at: now) : nil
            return figures
        }
    }
}
