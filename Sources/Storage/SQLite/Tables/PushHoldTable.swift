import GRDB
import Inbox

/// The statements that keep pushes back while their owner is not to be disturbed.
struct PushHoldTable {
    /// A job that is kept back.
    struct Held {
        let notification: Int64
        let availableAt: Timestamp
        /// When it would have left.
        let from: Timestamp
    }

    private let hold: Statement
    private let find: Statement
    private let move: Statement

    init(_ db: Database) throws {
        let same = "WHERE number = \(PushJobNumber.of()) AND available_at IS NOT NULL"
        hold = try db.cachedStatement(
            sql: """
                UPDATE push_job SET held_from = coalesce(held_from, available_at), available_at = ?3, expiry = ?4,
                    fold_key = ?5 \(same)
                """)
        find = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), available_at, held_from FROM push_job
                WHERE \(PushJobNumber.isOf()) AND held_from IS NOT NULL AND available_at IS NOT NULL
                """)
        move = try db.cachedStatement(sql: "UPDATE push_job SET available_at = ?3 \(same)")
    }

    /// Keeps back a job that was due.
    func hold(
        device: Int64, notification: Int64, until end: Timestamp, expiry: Timestamp, foldKey: String?
    ) throws {
        try hold.execute(arguments: [device, notification, end.milliseconds, expiry.milliseconds, foldKey])
    }

    func held(device: Int64) throws -> [Held] {
        try find.all([device]) { row in
            Held(
                notification: try row.int(0), availableAt: Timestamp(milliseconds: try row.int(1)),
                from: Timestamp(milliseconds: try row.int(2)))
        }
    }

    func move(device: Int64, notification: Int64, to due: Timestamp) throws {
        try move.execute(arguments: [device, notification, due.milliseconds])
    }
}
