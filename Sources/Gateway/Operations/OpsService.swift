import Storage
package import Transport
package import WireProtocol

/// What the operators' listener serves: metrics and health.
package final class OpsService: HTTPService {
    private enum Endpoint: Sendable {
        case metrics, health, readiness
    }

    private static let router = Router<Endpoint>([
        ("GET", "/metrics", .metrics),
        ("GET", "/healthz", .health),
        ("GET", "/readyz", .readiness),
    ])

    private let node: Node
    private let shards: [Shard]
    private let edge: Edge

    /// - Parameters:
    ///   - shards: those whose connections are counted.
    ///   - edge: whose refusals are counted.
    init(node: Node, shards: [Shard], edge: Edge) {
        self.node = node
        self.shards = shards
        self.edge = edge
    }

    private var readiness: HTTPResponse {
        if !node.isReady { return .text(503, "leaving\n") }
        if node.store.isDamaged { return .text(503, "the store is damaged\n") }
        guard let words = node.storeFailures?.outageWords else {
            let rows = node.store.damagedRows
            // They harm only whom they belong to: no reason to send everybody away.
            return .text(200, rows == 0 ? "ready\n" : "ready, but degraded: damaged rows that are left out: \(rows)\n")
        }
        // Where nobody writes any more, nothing else would find out that the disk is well again.
        node.store.tryWriting { [node] result in
            if case .success = result { node.storeFailures?.committed() }
        }
        return .text(503, "the store cannot be written: \(words)\n")
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        switch Self.router.match(head.method, head.segments) {
        case .unserved(let answer): return .answer(answer)
        case .found(.health, _): return .answer(.text(200, "ok\n"))
        case .found(.readiness, _):
            return .answer(readiness)
        case .found(.metrics, _):
            return .collect { [node, shards, edge] _, reply, _ in
                node.store.statistics(at: WallClock.now) { statistics in
                    // Without the store the process' own counters still tell the most.
                    let text = node.metrics.prometheusText(
                        connections: shards.reduce(0) { $0 + $1.connectionCount }, edge,
                        waitingRows: node.hasStore ? node.store.waitingRows : 0,
                        damagedRows: node.hasStore ? node.store.damagedRows : 0, try? statistics.get(), .current())
                    reply.send(.text(200, text, type: "text/plain; version=0.0.4; charset=utf-8"))
                }
            }
        }
    }
}
