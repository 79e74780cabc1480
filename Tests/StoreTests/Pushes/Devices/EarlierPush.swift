import GRDB
import Inbox
import Push

@testable import SQLiteStore
@testable import Store

/// A row of the queue of pushes as migration 10 left it.
struct EarlierPush {
    let device: Int64
    let notification: Int64
    let provider: Device.Provider
    /// Nil for the mark of what was accepted.
    let availableAt: Timestamp?
    var failures = 0
    var collapse: String?
    var sentAt: Timestamp?
    var seq: Int64?
    var fold: (key: String, first: Int64)?
    var withdrawn: String?
    /// Whether an earlier push of the notification is on the screen.
    var isShown = false
    var shownAs: String?

    static func waiting(
        _ notification: Int64, for device: Int64, _ provider: Device.Provider = .apns, at time: Timestamp,
        _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        var push = Self(device: device, notification: notification, provider: provider, availableAt: time)
        change(&push)
        return push
    }

    static func shown(
        _ notification: Int64, by device: Int64, _ provider: Device.Provider = .apns, as collapse: String? = nil,
        at time: Timestamp? = nil
    ) -> Self {
        Self(
            device: device, notification: notification, provider: provider, availableAt: nil, collapse: collapse,
            sentAt: time)
    }

    fileprivate func insert(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO push_job (
                    number, provider, available_at, is_fallback, failures, expiry, fold_key, fold, collapse, withdrawn, seq,
                    is_shown, sent_at, shown_as
                ) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                (device << 34) + notification, provider.name, availableAt?.milliseconds, failures, Int64(1) << 50,
                fold?.key, fold?.first, collapse, withdrawn, seq, isShown, sentAt?.milliseconds, shownAs,
            ])
    }
}

extension StoreFixture {
    /// Opens the folder again with this queue instead of its own, as a store of version 10 had it. The numbers that
    /// devices show are no longer right, so each change corrects them.
    func reopened(withEarlier pushes: [EarlierPush], yaml: String = StoreFixture.yaml) async throws -> StoreFixture {
        await store.close()
        let earlier = try DatabaseQueue()
        try Schema.migrations.migrate(earlier, upTo: "10")
        let schema = try await earlier.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT sql FROM sqlite_master WHERE tbl_name = 'push_job' AND sql IS NOT NULL ORDER BY type DESC")
        }
        let database = try DatabaseQueue(path: folder + "/belfry.sqlite")
        try await database.write { db in
            try db.execute(sql: "DROP TABLE push_job; DROP TABLE push_mark")
            for sql in schema { try db.execute(sql: sql) }
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier IN ('11', '12', '19')")
            try db.execute(sql: "UPDATE device SET badge = 99, badge_rule = 'unread'")
            for push in pushes { try push.insert(db) }
        }
        try database.close()
        return try StoreFixture(folder: folder, yaml: yaml)
    }
}
