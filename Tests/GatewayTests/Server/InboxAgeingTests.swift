import Inbox
import Store
import Synchronization
import Testing

@testable import Gateway

@Suite(.mayNotHang)
struct InboxAgeingTests {
    /// Notes each call, and answers at once.
    private final class Shelf: RefusingStore {
        private let report = Mutex<[String]>([])

        var calls: [String] { report.withLock { $0 } }

        func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
            report.withLock { $0.append("erasures") }
            completion(.success(0))
        }

        func trimInboxes(
            olderThan limit: Timestamp?, at now: Timestamp,
            completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
        ) {
            report.withLock { $0.append("inboxes") }
            completion(.failure(.overloaded))
        }

        func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
            report.withLock { $0.append("trail") }
            completion(.success(0))
        }
    }

    @Test func `each round erases, trims and sweeps, also if one of them fails`() async throws {
        let store = Shelf()
        let listener = try await PublishListener(store)
        let ageing = InboxAgeing(node: listener.node)
        ageing.look()
        #expect(store.calls == ["erasures", "inboxes", "trail"])
        ageing.stop()
        await listener.stop()
    }
}
