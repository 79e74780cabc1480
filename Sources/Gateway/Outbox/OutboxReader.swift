import Dispatch
import Inbox
import Logging
import Store
import Transport

/// Publishes the events that applications leave in the database, on the node that is on duty. It takes the steps of its
/// ``OutboxMachine``.
///
/// Two nodes may do it at the same time for a moment, or one may end before a row is gone. Each event has a key, so it
/// is published once all the same.
final class OutboxReader: Sendable {
    private struct State {
        var machine: OutboxMachine
        var log = RefusalLog()
        var isStopped = false
    }

    private let outbox: any Outbox
    private let node: Node
    private let publisher: OutboxPublisher
    private let state: QueueBound<State>

    /// Nil if the settings switch it off, or do not say whose rights hold; the log tells of the latter.
    init?(_ outbox: any Outbox, _ node: Node, _ broadcaster: Broadcaster) {
        let settings = node.settings.store
        guard settings.outboxInterval > .zero else { return nil }
        let record = node.publishers.records.first { $0.name == settings.outboxPublisher }
        guard record != nil || node.publishers.records.isEmpty else {
            node.logger.notice(
                """
                nothing is published from the outbox: name the publisher whose rights hold for it in store.outboxPublisher, or set \
                store.outboxInterval to 0s
                """)
            return nil
        }
        self.outbox = outbox
        self.node = node
        publisher = OutboxPublisher(node: node, broadcaster: broadcaster, publisher: .outbox(record))
        state = QueueBound(
            State(machine: OutboxMachine(interval: settings.outboxInterval)),
            on: DispatchQueue(label: "belfry.outbox"))
    }

    func start() { state.post { [self] state in take(.wait(.zero), &state) } }

    /// Takes no further step.
    func stop() { state.post { $0.isStopped = true } }

    private func take(_ step: OutboxMachine.Step, _ state: inout State) {
        guard !state.isStopped else { return }
        switch step {
        case .wait(let time):
            self.state.queue.asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)))) { [self] in
                self.state.withState { take($0.machine.wake(isOnDuty: node.store.isOnDuty), &$0) }
            }
        case .read(let rows, let bytes):
            let began = ContinuousClock.now
            outbox.rows(rows, bytes: bytes) { [self] result in
                let time = ContinuousClock.now - began
                self.state.post { [self] in take($0.machine.read(try? result.get(), in: time), &$0) }
            }
        case .publish(let rows):
            let began = ContinuousClock.now
            publisher.publish(rows) { [self] answer in
                let time = ContinuousClock.now - began
                self.state.post { [self] state in
                    tell(answer, of: rows.count, &state)
                    take(state.machine.answered(answer, in: time), &state)
                }
            }
        case .settle(let settlement):
            outbox.settle(settlement) { [self] result in
                let isDone = if case .success = result { true } else { false }
                self.state.post { [self] in take($0.machine.settled(isDone), &$0) }
            }
        }
    }

    private func tell(_ answer: OutboxMachine.Answer, of rows: Int, _ state: inout State) {
        let counters = node.metrics.outbox
        switch answer {
        case .told(let settlement):
            counters.published.add(settlement.stored.count)
            counters.refused.add(settlement.refused.count)
            for refusal in settlement.refused { tell(refusal, &state) }
        case .failed, .unavailable: counters.retries.add(rows)
        case .full: break
        }
    }

    /// The reason may name members of the event, so the log has its code alone.
    private func tell(_ refusal: OutboxSettlement.Refusal, _ state: inout State) {
        let code = refusal.reason.prefix { $0 != " " && $0 != ":" }
        guard let report = state.log.note(String(code), at: node.now()).report else { return }
        node.logger.error(
            "events of the outbox were refused, and stay there with the reason (docs/outbox.md)",
            metadata: ["code": "\(report.reason)", "row": "\(refusal.row)", "times": "\(report.count)"])
    }
}
