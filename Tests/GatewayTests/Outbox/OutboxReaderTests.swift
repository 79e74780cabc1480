import Inbox
import Store
import Synchronization
import Testing

@testable import Gateway

/// Rows on their way from an outbox to a store.
@Suite(.mayNotHang) struct OutboxReaderTests {
    /// An outbox in memory.
    private final class MemoryOutbox: Outbox {
        struct State {
            var waiting: [OutboxRow] = []
            var refusals: [OutboxSettlement.Refusal] = []
            var watcher: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        var refusals: [OutboxSettlement.Refusal] { state.withLock { $0.refusals } }

        init(_ events: [String]) {
            state.withLock { state in
                state.waiting = events.enumerated().map { place, event in
                    OutboxRow(id: Int64(place + 1), event: Array(event.utf8), tries: 0)
                }
            }
        }

        func rows(
            _ limit: Int, bytes: Int, completion: @escaping @Sendable (Result<[OutboxRow], StoreError>) -> Void
        ) {
            let (rows, watcher) = state.withLock { state in
                (Array(state.waiting.prefix(limit)), state.waiting.isEmpty ? state.watcher.take() : nil)
            }
            completion(.success(rows))
            watcher?()
        }

        func settle(
            _ settlement: OutboxSettlement, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
        ) {
            state.withLock { state in
                state.waiting.removeAll { settlement.rows.contains($0.id) }
                state.refusals += settlement.refused
            }
            completion(.success(()))
        }

        /// Waits until all rows have a fate and the reader has looked once more.
        func awaitEnd() async {
            await withCheckedContinuation { end in state.withLock { $0.watcher = { end.resume() } } }
        }
    }

    /// Answers each publication by `answer`, and keeps the keys that it took in.
    private final class TakingStore: RefusingStore {
        private let taken = Mutex<[String]>([])
        private let asked = Mutex<[[String]]>([])
        private let known: Set<String>
        private let answer: @Sendable ([String], _ number: Int) -> StoreError?

        init(known: Set<String> = [], _ answer: @escaping @Sendable ([String], Int) -> StoreError? = { _, _ in nil }) {
            (self.known, self.answer) = (known, answer)
        }

        /// The keys of what was taken in, in order.
        var keys: [String] { taken.withLock { $0 } }
        /// The keys of each publication.
        var publications: [[String]] { asked.withLock { $0 } }

        func publish(
            _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
        ) {
            let keys = publication.entries.compactMap(\.routed.event.key)
            let number = asked.withLock { all in
                all.append(keys)
                return all.count
            }
            if let error = answer(keys, number) { return completion(.failure(error)) }
            taken.withLock { $0 += keys }
            completion(
                .success(
                    publication.entries.map {
                        PublishOutcome(
                            event: $0.id, recipients: 1, created: 1, updated: 0, suppressed: 0, isReplay: false)
                    }))
        }

        func outcomes(
            ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp,
            completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>) -> Void
        ) {
            guard publisher == "outbox", events.allSatisfy({ known.contains($0.key) }) else {
                return completion(.success(nil))
            }
            completion(
                .success([
                    PublishOutcome(event: "evt_1", recipients: 1, created: 1, updated: 0, suppressed: 0, isReplay: true)
                ]))
        }
    }

    /// Lets a reader publish all events.
    private func publish(
        _ events: [String], to store: TakingStore, _ lines: JSONLogHandlerTests.Lines? = nil,
        _ check: (MemoryOutbox, Node) throws -> Void
    ) async throws {
        let listener = try await PublishListener(store, lines: lines)
        let outbox = MemoryOutbox(events)
        let reader = try #require(OutboxReader(outbox, listener.node, Broadcaster(node: listener.node)))
        reader.start()
        await outbox.awaitEnd()
        reader.stop()
        try check(outbox, listener.node)
        #expect(listener.node.publishLoad.underWay == 0)
        await listener.stop()
    }

    @Test func `events are published in order in one transaction, under their keys or those of their rows`()
        async throws
    {
        let store = TakingStore()
        let events = [
            RoomsEvent.liked(to: "sarah"), RoomsEvent.liked(to: "tom", key: "like-7"), RoomsEvent.liked(to: "ulf"),
        ]
        try await publish(events, to: store) { outbox, node in
            #expect(store.publications == [["outbox-1", "like-7", "outbox-3"]])
            #expect(node.metrics.outbox.published.count == 3)
            #expect(outbox.refusals.isEmpty)
        }
    }

    @Test func `a refused event stays with its reason and holds up none; the log has its code and no text`()
        async throws
    {
        let (store, lines) = (TakingStore(), JSONLogHandlerTests.Lines())
        let unknown = #"{"type": "room_hated", "to": {"owner": ["sarah"]}, "data": {"secret": "a-secret-text"}}"#
        try await publish([RoomsEvent.liked(to: "sarah"), unknown, RoomsEvent.liked(to: "tom")], to: store, lines) {
            outbox, node in
            #expect(store.keys == ["outbox-1", "outbox-3"])
            let refusals = outbox.refusals
            #expect(refusals.map(\.row) == [2])
            #expect(refusals[0].reason.hasPrefix("unknown_event"))
            #expect(node.metrics.outbox.refused.count == 1)
        }
        #expect(
            lines.all.count { $0.contains("events of the outbox were refused") && $0.contains("unknown_event") } == 1)
        #expect(!lines.all.contains { $0.contains("a-secret-text") || $0.contains("room_hated") })
    }

    @Test func `an event that was stored before a crash is not refused by catalogs that no longer know it`()
        async throws
    {
        let store = TakingStore(known: ["outbox-1"])
        try await publish([#"{"type": "room_hated", "to": {"owner": ["sarah"]}}"#], to: store) { outbox, _ in
            #expect(outbox.refusals.isEmpty)
            #expect(store.keys.isEmpty)
        }
    }

    @Test func `a key that another event has is refused, and the others are stored in order`() async throws {
        let store = TakingStore { keys, _ in
            keys.firstIndex(of: "taken").map { .keyReused(index: $0) }
        }
        let events = [
            RoomsEvent.liked(to: "sarah"), RoomsEvent.liked(to: "tom", key: "taken"), RoomsEvent.liked(to: "ulf"),
        ]
        try await publish(events, to: store) { outbox, _ in
            #expect(store.keys == ["outbox-1", "outbox-3"])
            #expect(outbox.refusals.map(\.row) == [2])
            #expect(outbox.refusals[0].reason.hasPrefix("key_reused"))
        }
    }

    @Test(arguments: [StoreError.unreachable("gone"), .overloaded, .diskFull])
    func `what the store cannot take at the moment is published again, whole`(_ error: StoreError) async throws {
        let store = TakingStore { _, number in number == 1 ? error : nil }
        try await publish([RoomsEvent.liked(to: "sarah"), RoomsEvent.liked(to: "tom")], to: store) { outbox, node in
            #expect(store.publications == [["outbox-1", "outbox-2"], ["outbox-1", "outbox-2"]])
            #expect(outbox.refusals.isEmpty)
            #expect(node.metrics.outbox.retries.count == 2)
        }
    }

    @Test func `an event that makes the store fail waits, and the others are stored`() async throws {
        let store = TakingStore { keys, _ in
            keys.contains("outbox-2") ? .failed(code: 0, message: "a defect") : nil
        }
        let events = (1...3).map { RoomsEvent.liked(to: "user-\($0)") }
        try await publish(events, to: store) { _, _ in
            #expect(store.keys == ["outbox-1", "outbox-3"])
        }
    }
}
