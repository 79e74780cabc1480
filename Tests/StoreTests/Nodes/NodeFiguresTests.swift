import Inbox
import Postgres
import PostgresStore
import Store
import Testing

/// What nodes on a real server tell their operators. Nothing here waits for a time: without the figure that a test waits
/// for, it hangs, and then fails.
@Suite(.enabled(if: StoreServer.url != nil), .mayNotHang) struct NodeFiguresTests {
    /// Waits until the nodes' figures are as wanted, and looks at each beat of the caretaker.
    private func wait(
        for nodes: [StoreFixture], _ isThere: ([NodeFigures]) -> Bool
    ) async throws -> [NodeFigures] {
        let (beats, beat) = AsyncStream.makeStream(of: Void.self)
        for node in nodes { node.store.onDuty { beat.yield() } }
        for await _ in beats {
            let figures = try nodes.map { try #require($0.store.nodeFigures) }
            if isThere(figures) { return figures }
        }
        preconditionFailure("beats go on")
    }

    @Test func `the caretaker says so and reads the database's figures, and no other node does`() async throws {
        try await withNodes(.listen(nil), .listen(nil)) { nodes in
            let figures = try await wait(for: nodes) { figures in
                figures.contains { $0.database != nil }
                    && figures.allSatisfy { $0.nodes == 2 && $0.roundTrips.cumulative.last?.count ?? 0 > 0 }
            }
            #expect(figures.filter(\.isCaretaker).count == 1)
            #expect(figures.allSatisfy { $0.isCaretaker == ($0.database != nil) })
            let database = try #require(figures.compactMap(\.database).first)
            let most = try #require(database.mostConnections)
            #expect(try (2...most).contains(#require(database.connections)))
            #expect(try #require(database.bytes) > 1_000_000)
            #expect(database.lockWaiters != nil)
            #expect(try (0...1).contains(#require(database.notifyQueue)))
            #expect(Set(database.tables.map(\.name)).isSuperset(of: ["inbox", "push_job", "node"]))
        }
    }

    @Test func `a node hears itself, and counts its commits`() async throws {
        try await withNodes(.poll(.milliseconds(20)), .listen(nil)) { nodes in
            for node in nodes { try await node.say("hi", to: .ada) }
            let figures = try await wait(for: nodes) { figures in
                figures.allSatisfy { $0.listenerLag.cumulative.last?.count ?? 0 > 0 }
            }
            #expect(figures.allSatisfy { $0.commits.cumulative.last?.count == 1 })
            #expect(figures.allSatisfy { $0.retries.isEmpty })
        }
    }

    @Test func `a node that hears nothing counts what it has missed, and one that hears all counts nothing`()
        async throws
    {
        try await withNodes(.listen(nil), .listen(nil), .poll(.seconds(86_400))) { nodes in
            for node in nodes.dropFirst() {
                node.store.watch(.inbox(.ada))
                #expect(try await node.store.state(of: .ada).seq == 0)
            }
            try await nodes[0].say("hi", to: .ada)
            for node in nodes.dropFirst() { await node.hearing.wait { $0.seqs(of: .ada).last == 1 } }
            let figures = try await wait(for: nodes) { $0[2].lostWakeUps > 0 }
            #expect(figures.map(\.lostWakeUps) == [0, 0, 1])
        }
    }
}
