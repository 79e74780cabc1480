import GRDB
import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Jobs that are removed from a queue by ranges, and the jobs that stay.
struct PushJobRunsTests {
    private struct Queue {
        let db: Database
        let runs: PushJobRuns
        private let waiting = WaitingPushes()
        private let index = PushJobIndex()
        /// All that were queued, in their order.
        let places: [PushTurns.Place]

        init(_ count: Int64, _ db: Database) throws {
            self.db = db
            let jobs = try PushJobTable(db, waiting, QueuePlaces(db), index, .standard, DamageWatch())
            runs = try PushJobRuns(db, waiting, index)
            places = try (1...count).map { device in
                let job = NewPushJob(device: device, notification: 1, due: .at(0), expiry: .at(3_600))
                return try jobs.insert(job, provider: .apns)
            }
        }

        /// Where the others stand, whom the writer is to count and to find.
        func left() throws -> [Int64] {
            let left = try Int64.fetchAll(db, sql: "SELECT place FROM push_job ORDER BY place")
            #expect(waiting.takeChanges()[.apns] == Int64(left.count))
            let found = places.compactMap { index.place(device: $0.device, notification: $0.notification) }
            #expect(found.map(\.position.rawValue) == left)
            return left
        }
    }

    private func withQueue(_ count: Int64, _ body: (Queue) throws -> Void) throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in try body(try Queue(count, db)) }
    }

    @Test func `of two with many others between them only the first goes, and no other`() throws {
        try withQueue(100) { queue in
            let isDeleted = try queue.runs.delete([queue.places[0], queue.places[99]], .apns)
            #expect(isDeleted == [true, false])
            #expect(try queue.left() == queue.places.dropFirst().map(\.position.rawValue))
        }
    }

    @Test(arguments: 0...5)
    func `as many others as there are of them may lie between them`(_ others: Int) throws {
        try withQueue(10) { queue in
            let ends = [queue.places[1], queue.places[2 + others]]
            let isDeleted = try queue.runs.delete(ends, .apns)
            #expect(isDeleted == [true, others <= 2])
            let gone = zip(ends, isDeleted).filter(\.1).map(\.0)
            #expect(try queue.left() == queue.places.filter { !gone.contains($0) }.map(\.position.rawValue))
        }
    }

    @Test func `what is cut off stays where the last of them has gone already`() throws {
        try withQueue(100) { queue in
            let thought = [queue.places[0], queue.places[1], queue.places[50], queue.places[99]]
            _ = try queue.runs.delete([queue.places[99]], .apns)
            let isDeleted = try queue.runs.delete(thought, .apns)
            #expect(isDeleted == [true, true, false, false])
            #expect(try queue.left() == queue.places[2..<99].map(\.position.rawValue))
        }
    }
}
