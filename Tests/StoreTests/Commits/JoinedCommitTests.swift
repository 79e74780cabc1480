import Inbox
import Synchronization
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Work that is queued while a transaction is open.
struct JoinedCommitTests {
    private struct Refusal: Error {}

    /// Publishes to ada, and to bob while that transaction is open; what `also` queues comes between the two. Returns
    /// what each was told, in its order.
    private func publishTwice(
        _ fixture: StoreFixture, also: @escaping @Sendable () -> Void = {}
    ) async throws -> [UserID] {
        let publications = try [UserID.ada, .bob].map { user in
            Publication(publisher: "b", entries: [try fixture.entry("said", "hi", to: [user])], now: .at(0))
        }
        let told = Mutex<[UserID]>([])
        let isFirstAttempt = Mutex(true)
        await withCheckedContinuation { continuation in
            fixture.write(rows: publications[0].rows) { (_: Result<Void, StoreError>) in
                told.withLock { $0.append(.ada) }
            } _: { [store = fixture.store] open in
                if isFirstAttempt.withLock({ exchange(&$0, with: false) }) {
                    also()
                    store.publish(publications[1]) { _ in
                        told.withLock { $0.append(.bob) }
                        continuation.resume()
                    }
                }
                _ = try PublishWriter(open: open).publish(publications[0])
                return .success(())
            }
        }
        return told.withLock { $0 }
    }

    @Test func `is in the same commit, and is answered after what came before`() async throws {
        try await withStore { fixture in
            let told = try await publishTwice(fixture)
            #expect(told == [.ada, .bob])
            #expect(fixture.commits.map(\.inboxes.count) == [2])
            #expect(try await fixture.texts(of: .bob) == ["hi"])
        }
    }

    @Test func `waits for the next commit where there is no room`() async throws {
        let configure: StoreFixture.Configuration = { $0.rowsPerCommit = 3 }
        try await withStore(configure) { fixture in
            let told = try await publishTwice(fixture)
            #expect(told == [.ada, .bob])
            #expect(fixture.commits.map(\.inboxes.count) == [1, 1])
        }
    }

    @Test func `waits for the next commit behind a rehearsal, which has a transaction to itself`() async throws {
        try await withStore { fixture in
            let told = try await publishTwice(fixture) { [fixture] in
                fixture.write(isRehearsal: true, { (_: Result<Void, StoreError>) in }) { _ in .success(()) }
            }
            #expect(told == [.ada, .bob])
            #expect(fixture.commits.map(\.inboxes.count) == [1, 1])
        }
    }

    @Test func `takes nothing along when it fails`() async throws {
        try await withStore { fixture in
            let failures = Mutex<[StoreError]>([])
            let told = try await publishTwice(fixture) { [fixture] in
                fixture.write({ (result: Result<Void, StoreError>) in
                    if case .failure(let error) = result { failures.withLock { $0.append(error) } }
                }) { _ in throw Refusal() }
            }
            #expect(told == [.ada, .bob])
            #expect(failures.withLock { $0.count } == 1)
            #expect(try await fixture.texts(of: .ada) == ["hi"])
            #expect(try await fixture.texts(of: .bob) == ["hi"])
            #expect(try await fixture.statistics().unreadDrift == 0)
        }
    }
}
