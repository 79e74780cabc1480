import Dispatch
import Logging
import Push
import Store
import Transport

/// A leaving server: takes the steps of its ``Departure``.
final class Leaving: Sendable {
    /// The parts of the server that leaving needs.
    struct Parts: Sendable {
        let node: Node
        let hub: LiveHub
        let shards: ShardGroup
        let listeners: Listeners
        let dispatcher: PushDispatcher
    }

    /// How often to check for progress that nothing reports.
    private static let interval = DispatchTimeInterval.milliseconds(20)

    private let parts: Parts
    private let departure: QueueBound<Departure>
    private let completion: @Sendable () -> Void

    private init(_ parts: Parts, _ completion: @escaping @Sendable () -> Void) {
        self.parts = parts
        self.completion = completion
        departure = QueueBound(
            Departure(at: .now, deadline: parts.node.settings.drain.deadline),
            on: DispatchQueue(label: "belfry.leaving"))
    }

    /// - Parameters:
    ///   - reason: for the log.
    ///   - completion: runs when connections and store are gone; the operators' listener still answers.
    static func begin(_ parts: Parts, reason: String, completion: @escaping @Sendable () -> Void) {
        let leaving = Leaving(parts, completion)
        parts.node.leave()
        parts.dispatcher.stop()
        parts.listeners.leave()
        leaving.tellSessions(reason)
        leaving.lookLater()
    }

    private func tellSessions(_ reason: String) {
        let (node, admission) = (parts.node, parts.listeners.admission)
        let settings = node.settings.drain
        parts.hub.drain { sessionCount in
            let plan = DrainPlan(
                sessionCount: sessionCount, rate: settings.rate, measuredRate: admission.acceptRate(),
                deadline: settings.deadline)
            node.metrics.drainRate.set(Int(plan.rate))
            node.logger.info(
                "leaving",
                metadata: ["reason": "\(reason)", "sessions": "\(sessionCount)", "rate": "\(Int(plan.rate))"])
            return plan
        }
    }

    private func lookLater() {
        departure.queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look() }
    }

    private func look() {
        let metrics = parts.node.metrics
        let view = Departure.View(
            publishListeners: parts.listeners.openPublishCount, remoteListeners: parts.listeners.openRemoteCount,
            work: parts.node.publishLoad.underWay + metrics.pushesInFlight.level,
            webSockets: metrics.webSockets.level, connections: parts.shards.connectionCount)
        let steps = departure.withState { $0.look(view, at: .now) }
        for step in steps { run(step) }
        if !steps.contains(.end) { lookLater() }
    }

    private func run(_ step: Departure.Step) {
        switch step {
        case .closeStore:
            parts.node.handOver { [self] in
                parts.node.logger.info(
                    parts.node.store.isShared
                        ? "accepted work is stored; another process may have the data folder"
                        : "the store is closed; another process may open it")
                departure.post { $0.storeClosed() }
            }
        case .finishConnections: parts.shards.leave()
        case .closeSessions: parts.hub.closeAll()
        case .end: parts.node.closeStore { [parts, completion] in parts.shards.stop(completion: completion) }
        }
    }
}
