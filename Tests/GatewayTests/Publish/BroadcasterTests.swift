import Gateway
import Inbox
import Store
import Testing

/// Events for many while the store closes.
@Suite(.mayNotHang)
struct BroadcasterTests {
    /// Takes in events for many, and delivers no page any more.
    private final class ClosedStore: RefusingStore {
        func publish(
            _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
        ) {
            completion(
                .success(
                    publication.entries.map { entry in
                        PublishOutcome(
                            Broadcast(
                                event: entry.id, state: .working, isForEverybody: false, total: 900,
                                acceptedAt: publication.now))
                    }))
        }

        func deliverPage(
            of event: String, at now: Timestamp,
            route: @escaping @Sendable (Event) -> Result<RoutedEvent, EventProblem>,
            completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void
        ) {
            completion(.failure(.closed))
        }
    }

    @Test func `publishers are told to come again, also those whose event was taken in last`() async throws {
        let listener = try await PublishListener(ClosedStore())
        for _ in 1...3 {
            #expect(try await listener.publish(RoomsEvent.liked(to: "sarah")).hasPrefix("HTTP/1.1 503 "))
        }
        #expect(listener.node.publishLoad.underWay == 0)
        await listener.stop()
    }
}
