import GRDB
import Inbox
import Synchronization
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// A writer whose log cannot be copied to the database.
struct FailedCopyTests {
    private typealias Receipts = Result<[FeedReceipt], StoreError>

    /// A writer whose log is copied at nearly every commit, and whose database's file a test lets fail.
    private struct Writer: Sendable {
        let pool: DatabasePool
        let committer: GroupCommitter
        let probe: SyncProbe
        let failures: Told
        let damage: Told

        final class Told: Sendable {
            private let all = Mutex<[StoreError]>([])

            func add(_ error: StoreError) { all.withLock { $0.append(error) } }

            var list: [StoreError] { all.withLock { $0 } }
        }

        init(path: String) throws {
            let opened = try OpenedDatabase(path: path, readers: 1, longestLog: 8)
            let (failures, damage) = (Told(), Told())
            var options = SQLiteStoreOptions(makeEpoch: { "epoch" }, isLive: { _ in false })
            options.longestLog = 8
            options.restDelay = .zero
            options.onFailure = { failures.add($0) }
            (pool, self.failures, self.damage) = (opened.pool, failures, damage)
            committer = GroupCommitter(
                options: options, contents: ContentCache(capacity: 8, lastID: 0),
                bus: LocalCommitBus(inboxes: SharedInboxMemory(inboxes: 8, changeBytes: 1_024)),
                pushJobs: opened.pushJobs,
                waitingPushes: opened.waitingPushes,
                damage: DamageWatch { damage.add(.failed(code: $0, message: $1)) },
                logLength: opened.logLength)
            probe = try #require(opened.pool.writeWithoutTransaction { SyncProbe($0, of: .database) })
        }

        /// Appends an item to a feed and has the writer commit it.
        func append(_ number: Int) throws -> Receipts {
            let result = Mutex<Receipts?>(nil)
            let item = FeedItem(feed: "news", json: Array("{\"number\":\(number)}".utf8), publishedAt: .at(0))
            let publication = FeedPublication(
                feed: "news", items: [item], length: FeedRule.defaultLength, now: .at(0))
            let write = ClosureWrite { told in
                result.withLock { $0 = told }
            } perform: { open in
                .success(try FeedWriter(open: open).append(publication))
            }
            _ = committer.queue.add(write)
            pool.writeWithoutTransaction { committer.drain($0) }
            return try #require(result.withLock { $0 })
        }
    }

    @Test func `a disk that fails to take what is copied ends writing, and all that was told is there`() throws {
        try withDatabasePath { path in
            let writer = try Writer(path: path)
            _ = try writer.append(0).get()
            #expect(writer.failures.list == [])
            writer.probe.isFailing = true
            var told = 1
            while writer.failures.list.isEmpty, told < 100 {
                // The commit whose log is to be copied is none the worse for that.
                _ = try writer.append(told).get()
                told += 1
            }
            #expect(writer.failures.list == [.damaged])
            // SQLITE_IOERR_FSYNC
            #expect(writer.damage.list == [.failed(code: 1_034, message: "disk I/O error")])
            // The disk takes what comes now, and may have dropped what it did not take then.
            writer.probe.isFailing = false
            #expect(throws: StoreError.damaged) { try writer.append(told).get() }
            try writer.pool.close()
            let reopened = try DatabaseQueue(path: path)
            #expect(try reopened.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM feed_item") } == told)
            try reopened.close()
        }
    }
}
