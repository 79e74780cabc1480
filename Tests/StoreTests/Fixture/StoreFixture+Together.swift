import Dispatch
import GRDB
import Inbox
import SQLiteStore
import Store
import Synchronization

extension StoreFixture {
    /// Holds the store's queue until `body` has submitted all it wants.
    func whileHeld(_ body: () throws -> Void) async throws {
        let gate = DispatchSemaphore(value: 0)
        try await withCheckedThrowingContinuation { (held: CheckedContinuation<Void, any Error>) in
            store.apply(.seen(upTo: 0), for: .user("gate"), at: .at(0)) { result in
                held.resume(with: result.map { _ in })
                gate.wait()
            }
        }
        defer { gate.signal() }
        try body()
    }

    /// Makes the database refuse each row of an event that meets an SQL condition about `NEW`.
    func refuseEvents(where condition: String) async throws {
        let other = try DatabaseQueue(path: folder + "/belfry.sqlite")
        try await other.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refusal BEFORE INSERT ON trail_event
                    WHEN \(condition) BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        try other.close()
    }

    /// Submits publications of their own that share a commit; the answers in their order.
    func publishTogether(_ publications: [Publication]) async throws -> [Result<[PublishOutcome], StoreError>] {
        let answers = Answers(publications.count)
        try await whileHeld {
            for (place, publication) in publications.enumerated() {
                store.publish(publication) { result in answers.results.withLock { $0[place] = result } }
            }
        }
        // An inbox that is not there yet is created behind all of them.
        _ = try await store.state(of: .user("behind"))
        return answers.results.withLock { $0 }
    }

    private final class Answers: Sendable {
        let results: Mutex<[Result<[PublishOutcome], StoreError>]>

        init(_ count: Int) { results = Mutex(Array(repeating: .failure(.closed), count: count)) }
    }
}
