import Inbox
import JSON
import Push
import Store
import Synchronization
import Transport
import WireProtocol

/// Reads the counters once a second, whether or not a console is open, and keeps an hour of them. From any thread.
final class ConsoleMeter: Sendable {
    private struct State {
        var history: ConsoleHistory
        var earlier: (reading: ConsoleReading, at: ContinuousClock.Instant)?
    }

    let columns: ConsoleColumns
    private let node: Node
    private let shards: [Shard]
    private let edge: Edge
    private let state: Mutex<State>

    /// - Parameter shards: the shards whose connections are counted.
    init(node: Node, shards: [Shard], edge: Edge) {
        self.node = node
        self.shards = shards
        self.edge = edge
        columns = ConsoleColumns(providers: node.settings.services.providers.map(\.name))
        state = Mutex(State(history: ConsoleHistory(width: columns.names.count)))
    }

    /// Takes a sample.
    ///
    /// - Returns: nil at the first call, which has nothing to compare with.
    func sample(at now: Timestamp, _ instant: ContinuousClock.Instant) -> [Float]? {
        let reading = read()
        return state.withLock { state in
            defer { state.earlier = (reading, instant) }
            guard let earlier = state.earlier, earlier.at < instant else { return nil }
            let seconds = (instant - earlier.at) / .seconds(1)
            let sample = reading.sample(since: earlier.reading, seconds: seconds)
            state.history.append(sample, second: now.milliseconds / 1_000)
            return sample
        }
    }

    /// Writes the members of ``ConsoleHistory/write(_:to:)``.
    func writeHistory(to json: inout JSONWriter) {
        // A copy shares the ring's memory, so the lock is free while the copy is written.
        let history = state.withLock(\.history)
        history.write(columns.names, to: &json)
    }

    private func read() -> ConsoleReading {
        let metrics = node.metrics
        var reading = ConsoleReading()
        reading.sessions = metrics.sessions.level
        reading.connections = shards.reduce(0) { $0 + $1.connectionCount }
        reading.framesSent = metrics.framesOut.count
        reading.framesReceived = metrics.framesIn.count
        reading.framesFolded = metrics.framesFolded.count
        reading.closedSlow = metrics.closes(with: .slow).count
        reading.refusedConnections = AdmissionRefusal.allCases.reduce(0) { $0 + edge.admission.refusedConnections($1) }
        reading.events = metrics.eventsPublished.count
        reading.eventsRefused = metrics.eventsRefused.count
        reading.publishes = metrics.publishLatency.counts
        reading.commits = metrics.commits.count
        reading.changes = metrics.changes.count
        reading.acks = metrics.acks.count
        reading.pushesInFlight = metrics.pushesInFlight.level
        let usage = ProcessUsage.current()
        reading.memoryBytes = usage?.residentBytes
        reading.cpuSeconds = usage?.cpuSeconds
        let hasStore = node.hasStore
        reading.commitTimes = hasStore ? node.store.commitDurations : nil
        reading.waitingRows = hasStore ? node.store.waitingRows : 0
        let waiting = hasStore ? node.store.waitingPushCounts : nil
        reading.providers = node.settings.services.providers.map { provider in
            let pushes = metrics.pushes(of: provider)
            return ConsoleReading.Provider(
                name: provider.name, queue: waiting.map { Int($0[provider] ?? 0) },
                verdicts: pushes.countsByVerdict.map(\.count), expired: pushes.expired.count)
        }
        return reading
    }
}
