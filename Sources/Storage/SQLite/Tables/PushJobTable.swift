import GRDB
import Inbox

/// One row of `push_job`.
struct PushJobRecord {
    let id: Int64
    let inbox: Int64
    /// The notification's number within the inbox: the `seq` at which it came.
    let notification: Int64
    /// The row of the device.
    let device: Int64
    let failures: Int
    let expiry: Timestamp

    static let columns = "id, inbox, notification, device, failures, expiry"

    var notificationID: NotificationID { NotificationID(inbox: inbox, sequence: notification) }

    /// - Parameter row: the ``columns``.
    init(_ row: Row) throws {
        id = try row.int(0)
        inbox = try row.int(1)
        notification = try row.int(2)
        device = try row.int(3)
        failures = Int(try row.int(4))
        expiry = Timestamp(milliseconds: try row.int(5))
    }
}

struct PushJobTable {
    private let insert: Statement
    private let findAvailable: Statement
    private let findNext: Statement
    private let lease: Statement
    private let putOff: Statement
    private let release: Statement
    private let delete: Statement
    private let deleteAcknowledged: Statement
    private let deleteNotification: Statement
    private let deleteDevice: Statement

    init(_ db: Database) throws {
        insert = try db.cachedStatement(
            sql: """
                INSERT INTO push_job (
                    inbox, notification, device, is_fallback, due, available_at, failures, expiry
                ) VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, ?6)
                """)
        findAvailable = try db.cachedStatement(
            sql: """
                SELECT \(PushJobRecord.columns) FROM push_job AS job WHERE available_at <= ?1 AND NOT EXISTS (
                    SELECT 1 FROM push_job AS other
                    WHERE other.inbox = job.inbox AND other.device = job.device AND (
                        other.available_at > max(?1, other.due)
                        OR (other.available_at, other.id) < (job.available_at, job.id))
                ) ORDER BY available_at, id LIMIT ?2
                """)
        findNext = try db.cachedStatement(
            sql: "SELECT available_at FROM push_job WHERE available_at > ? ORDER BY available_at LIMIT 1")
        lease = try db.cachedStatement(sql: "UPDATE push_job SET available_at = ? WHERE id = ?")
        // A number can be given to another job once its row is gone, so the notification must be the same too.
        let same = "WHERE id = ?1 AND inbox = ?2 AND notification = ?3"
        putOff = try db.cachedStatement(
            sql: "UPDATE push_job SET due = ?4, available_at = ?4, failures = ?5 \(same) RETURNING id")
        release = try db.cachedStatement(sql: "UPDATE push_job SET available_at = due \(same) RETURNING due")
        delete = try db.cachedStatement(sql: "DELETE FROM push_job \(same)")
        deleteAcknowledged = try db.cachedStatement(
            sql: "DELETE FROM push_job WHERE inbox = ? AND notification <= ? AND is_fallback = 1")
        deleteNotification = try db.cachedStatement(
            sql: "DELETE FROM push_job WHERE inbox = ? AND notification = ?")
        deleteDevice = try db.cachedStatement(sql: "DELETE FROM push_job WHERE inbox = ? AND device = ?")
    }

    /// Queues a push of one notification to one device.
    /// - Parameter isFallback: whether an acknowledgement cancels it.
    func insert(
        inbox: Int64, notification: Int64, device: Int64, isFallback: Bool, due: Timestamp, expiry: Timestamp
    ) throws {
        try insert.execute(
            arguments: [inbox, notification, device, isFallback ? 1 : 0, due.milliseconds, expiry.milliseconds])
    }

    /// Jobs that are due and not on lease, those that waited longest first, and only one a device: while one of its
    /// jobs is on lease the others wait, or two pushes could overtake each other and leave the older badge behind.
    func available(at now: Timestamp, limit: Int) throws -> [PushJobRecord] {
        try findAvailable.all([now.milliseconds, limit], PushJobRecord.init)
    }

    /// When the next job is due, or a lease ends, after `now`; nil without any.
    func nextAvailable(after now: Timestamp) throws -> Timestamp? {
        try findNext.first([now.milliseconds]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    func lease(_ id: Int64, until end: Timestamp) throws { try lease.execute(arguments: [end.milliseconds, id]) }

    /// Ends a lease with another try to come.
    /// - Returns: whether the job still waits; false if it was cancelled meanwhile.
    func putOff(_ id: Int64, of notification: NotificationID, to due: Timestamp, failures: Int) throws -> Bool {
        let arguments: StatementArguments = [
            id, notification.inbox, notification.sequence, due.milliseconds, failures,
        ]
        return try putOff.first(arguments) { try $0.int(0) } != nil
    }

    /// Ends a lease without a result, and tells when the job was due; nil if it was cancelled meanwhile.
    func release(_ id: Int64, of notification: NotificationID) throws -> Timestamp? {
        try release.first([id, notification.inbox, notification.sequence]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    func delete(_ id: Int64, of notification: NotificationID) throws {
        try delete.execute(arguments: [id, notification.inbox, notification.sequence])
    }

    /// Cancels what an acknowledgement covers.
    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws {
        try deleteAcknowledged.execute(arguments: [inbox, seq])
    }

    func deleteAll(inbox: Int64, notification: Int64) throws {
        try deleteNotification.execute(arguments: [inbox, notification])
    }

    func deleteAll(inbox: Int64, device: Int64) throws { try deleteDevice.execute(arguments: [inbox, device]) }
}
