import PostgresStore

/// Runs a test with as many nodes on one database as there are ways to hear.
func withNodes(
    _ wakeUps: WakeUps..., body: @Sendable ([StoreFixture]) async throws -> Void
) async throws {
    try await StoreServer.places.use {
        try await Engine.$current.withValue(.postgres) {
            var nodes: [StoreFixture] = []
            for wakeUp in wakeUps {
                nodes.append(try StoreFixture(folder: nodes.first?.folder, node: { $0.wakeUps = wakeUp }))
            }
            let result: Result<Void, any Error>
            do { result = .success(try await body(nodes)) } catch { result = .failure(error) }
            for node in nodes.dropFirst() { await node.store.close() }
            await nodes[0].remove()
            try result.get()
        }
    }
}
