import Dispatch
import Inbox
import Logging
import Store

/// Removes expired notifications and decisions, and the remains of people whose erasure was interrupted.
final class InboxAgeing: Sendable {
    private let node: Node
    private let round = HourlyRound(label: "belfry.inbox-ageing")

    init(node: Node) {
        self.node = node
        round.start(after: .seconds(30)) { [weak self] in self?.look() }
    }

    func stop() { round.stop() }

    /// Does one round.
    func look() {
        guard node.store.isOnDuty else { return }
        node.store.finishErasures { [self] result in
            tell("remaining data of erased people removed", result)
            let (now, age) = (node.now(), node.settings.inbox.keep)
            node.store.trimInboxes(olderThan: age > .zero ? now - age : nil, at: now) { [self] result in
                tell("old notifications removed", result)
                node.store.sweepTrail(at: node.now()) { [self] in tell("old decisions removed", $0) }
            }
        }
    }

    private func tell(_ message: Logger.Message, _ result: Result<Int, StoreError>) {
        switch result {
        case .failure(.closed), .failure(.damaged), .success(0): break
        // The next round tries again.
        case .failure(let error): node.logger.error("retention failed", metadata: ["reason": "\(error.reason)"])
        case .success(let count): node.logger.info(message, metadata: ["count": "\(count)"])
        }
    }
}
