import Store
package import Transport
package import WireProtocol

/// The service of the operators' listener: metrics, health, the specifications and the console.
package final class OpsService: HTTPService {
    enum Handler: Sendable {
        /// The head is enough.
        case file(@Sendable (HTTPRequestHead) -> HTTPResponse)
        /// What the node says about itself.
        case report(@Sendable (OpsService) -> HTTPDisposition)
    }

    static let routes: [Route<Handler>] =
        [
            Route("GET", "/metrics", query: .any(), gives: .text, .report { $0.metrics }),
            Route("GET", "/healthz", query: .any(), gives: .text, .report { _ in .answer(.text(200, "ok\n")) }),
            Route(
                "GET", "/readyz", query: .any(), gives: .init([200: .text, 503: .text]),
                .report { .answer($0.readiness) }),
        ] + SpecificationFiles.operators.routes { .file($0) }

    private static let router = Router(routes)

    private let node: Node
    private let shards: [Shard]
    private let edge: Edge
    private let publishingEdge: PublishingEdge?
    private let console: ConsoleService

    /// - Parameters:
    ///   - shards: the shards whose connections are counted.
    ///   - edge: the edge whose refusals are counted.
    ///   - publishingEdge: has figures of its own; nil without such a listener.
    ///   - console: of the same shard.
    init(node: Node, shards: [Shard], edge: Edge, publishingEdge: PublishingEdge?, console: ConsoleService) {
        self.node = node
        self.console = console
        self.shards = shards
        self.edge = edge
        self.publishingEdge = publishingEdge
    }

    private var readiness: HTTPResponse {
        if !node.isReady { return .text(503, "leaving\n") }
        if node.store.isDamaged { return .text(503, "the store is damaged\n") }
        guard let words = node.storeFailures?.outageWords else {
            let rows = node.store.damagedRows
            // Damaged rows harm only their owners: no reason to turn all clients away.
            return .text(200, rows == 0 ? "ready\n" : "ready, but degraded: damaged rows that are left out: \(rows)\n")
        }
        Self.lookForEnd(ofOutageAt: node)
        return .text(503, "the store cannot be written: \(words)\n")
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        if let disposition = console.receive(head, from: peer, on) { return disposition }
        return switch Self.router.match(head) {
        case .unserved(let answer): .answer(answer)
        case .found(.file(let answer), _): .answer(answer(head))
        case .found(.report(let report), _): report(self)
        }
    }

    /// Without other writes, nothing else would notice that the disk works again.
    private static func lookForEnd(ofOutageAt node: Node) {
        node.store.tryWriting { result in
            if case .success = result { node.storeFailures?.committed() }
        }
    }

    /// How long a scrape waits for a database.
    private static let patience = Duration.seconds(1)

    private var metrics: HTTPDisposition {
        .collect { [node, shards, edge, publishingEdge] request, reply, on in
            let reply = Self.router.checked(reply, to: request.head)
            let isAnswered = Flag()
            let answer: @Sendable (StoreStatistics?) -> Void = { statistics in
                guard isAnswered.raise() else { return }
                // Even without the store, the process' own counters are useful.
                let text = node.metrics.prometheusText(
                    connections: shards.reduce(0) { $0 + $1.connectionCount }, edge, publishingEdge,
                    store: node.hasStore ? StoreReading(of: node.store) : StoreReading(), statistics, .current(),
                    publishers: node.publishers, authenticator: node.authenticator, webhooks: node.webhooks,
                    activities: node.activities,
                    nodeName: node.settings.nodeName)
                reply.send(.text(200, text, type: "text/plain; version=0.0.4; charset=utf-8"))
            }
            if node.store.isShared {
                if node.storeFailures?.outageWords != nil {
                    Self.lookForEnd(ofOutageAt: node)
                    return answer(nil)
                }
                on.shard.schedule(at: on.now + Self.patience, on) { _ in answer(nil) }
            }
            node.store.statistics(at: WallClock.now) { answer(try? $0.get()) }
        }
    }
}
