import Dispatch
import Inbox
import Logging
import Storage
import Transport

/// Removes what inboxes keep no longer, and what is left of people whose erasure was broken off.
final class InboxAgeing: Sendable {
    private static let interval = DispatchTimeInterval.seconds(3_600)
    /// Not at once: the start has enough to do.
    private static let firstDelay = DispatchTimeInterval.seconds(30)

    private let node: Node
    private let timer: QueueBound<any DispatchSourceTimer>

    init(node: Node) {
        self.node = node
        let queue = DispatchQueue(label: "belfry.inbox-ageing")
        timer = QueueBound(DispatchSource.makeTimerSource(queue: queue), on: queue)
        timer.post { [weak self] timer in
            timer.schedule(deadline: .now() + Self.firstDelay, repeating: Self.interval, leeway: .seconds(10))
            timer.setEventHandler { self?.look() }
            timer.activate()
        }
    }

    func stop() { timer.post { $0.cancel() } }

    private func look() {
        node.store.finishErasures { [self] result in
            tell("what was left of erased people is gone", result)
            let (now, age) = (node.now(), node.settings.inbox.keep)
            node.store.trimInboxes(olderThan: age > .zero ? now - age : nil, at: now) { [self] result in
                tell("old notifications removed", result)
            }
        }
    }

    private func tell(_ message: Logger.Message, _ result: Result<Int, StoreError>) {
        switch result {
        case .failure(.closed), .success(0): break
        // In an hour it is tried again.
        case .failure(let error): node.logger.error("retention failed", metadata: ["error": "\(error)"])
        case .success(let count): node.logger.info(message, metadata: ["count": "\(count)"])
        }
    }
}
