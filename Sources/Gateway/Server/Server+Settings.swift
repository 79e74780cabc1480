import Inbox
import Logging
import Store
import Transport

/// Makes the parts of a server from its settings.
extension Server {
    static func shardCount(_ settings: Settings) -> Int {
        settings.shards > 0 ? settings.shards : UsableProcessors.count
    }

    /// Moves everything that waits along when the wall clock is set, or the process has slept.
    static func start(_ clock: NodeClock, _ node: Node, _ dispatcher: PushDispatcher) {
        clock.start { [store = node.store] jump, completion in
            store.follow(jump, completion: completion)
        } followed: { jump in
            // Proxies, or the clients themselves, may have given up their connections.
            if jump.cause == .sleep { node.presence.settle(from: .now, for: Settling.span) }
            dispatcher.move(by: jump.span)
            node.webhooks?.move(by: jump.span)
            node.activities?.move(by: jump.span)
            tell(jump, node.logger)
        }
    }

    /// Notices that the process has slept, or the wall clock was set, where pushes wait by the clock of a database.
    static func watch(_ clock: NodeClock, _ node: Node) {
        clock.start { _, completion in
            completion(.success(()))
        } followed: { jump in
            guard jump.cause == .sleep else { return tell(jump, node.logger) }
            node.presence.settle(from: .now, for: Settling.span)
            node.logger.warning(
                "the process did not run for a while", metadata: ["seconds": "\(jump.span / .seconds(1))"])
        }
    }

    static func tell(_ jump: ClockJump, _ logger: Logger) {
        let what: Logger.Message =
            switch jump.cause {
            case .set: "the machine's clock was set; waiting pushes and batches keep their remaining time"
            case .sleep: "the process did not run for a while; the graces of pushes start again"
            }
        logger.warning(what, metadata: ["seconds": "\(jump.span / .seconds(1))"])
    }
}
