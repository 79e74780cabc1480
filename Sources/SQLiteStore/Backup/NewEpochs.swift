import GRDB
import Migration

/// The statements that give a restored store new epochs.
enum NewEpochs {
    /// Within a transaction.
    ///
    /// - Parameter makeEpoch: draws the random id of an inbox or feed; never empty.
    static func make(in db: Database, _ makeEpoch: @escaping @Sendable () -> String) throws -> RenewedEpochs {
        db.add(function: DatabaseFunction("new_epoch", argumentCount: 0) { _ in makeEpoch() })
        try db.execute(sql: "UPDATE inbox SET epoch = new_epoch()")
        let inboxes = db.changesCount
        try db.execute(sql: "UPDATE feed SET epoch = new_epoch()")
        let feeds = db.changesCount
        // An older release's backup lacks these tables until it is opened.
        if try db.tableExists("store_epoch") { try db.execute(sql: "UPDATE store_epoch SET epoch = new_epoch()") }
        if try db.viewExists("inbox_state") { try skipNumbers(db) }
        return RenewedEpochs(inboxes: Int64(inboxes), feeds: Int64(feeds))
    }

    /// Writes an inbox's counts together with its next number: until then, its newest row tells them.
    private static func skipNumbers(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE inbox SET (seq, unread, unseen, total) = (
                    SELECT seq + \(RenewedEpochs.skippedNumbers), unread, unseen, total FROM inbox_state
                    WHERE inbox_state.id = inbox.id);
                """)
    }
}
