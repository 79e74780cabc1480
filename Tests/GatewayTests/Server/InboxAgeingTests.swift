import Dispatch
import Inbox
import Storage
import Testing

@testable import Gateway

@Suite(.mayNotHang)
struct InboxAgeingTests {
    /// Tells of each call.
    private final class Shelf: RefusingStore {
        let calls: AsyncStream<String>
        private let report: AsyncStream<String>.Continuation

        init() { (calls, report) = AsyncStream.makeStream() }

        func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
            report.yield("erasures")
            completion(.success(0))
        }

        func trimInboxes(
            olderThan limit: Timestamp?, at now: Timestamp,
            completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
        ) {
            report.yield("inboxes")
            completion(.failure(.overloaded))
        }

        func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
            report.yield("trail")
            completion(.success(0))
            report.finish()
        }
    }

    @Test func `each round erases, trims and sweeps, also if one of them fails`() async throws {
        let store = Shelf()
        let listener = try await PublishListener(store)
        let ageing = InboxAgeing(node: listener.node, after: .seconds(0))
        #expect(await store.calls.reduce(into: []) { $0.append($1) } == ["erasures", "inboxes", "trail"])
        ageing.stop()
        await listener.stop()
    }
}
