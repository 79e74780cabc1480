import GRDB
import Inbox
import Push

/// The statements that keep what devices show.
///
/// A job whose push was accepted stays in the queue's table as a mark, without a time, until its notification is read or
/// removed: only so do we know what may be on a screen. Its row is there already, so that costs no more than deleting it.
struct PushMarkTable {
    private let db: Database
    private let show: Statement
    private let mark: Statement
    private let trim: Statement
    private let findShown: Statement
    private let findContents: Statement

    init(_ db: Database) throws {
        self.db = db
        show = try db.cachedStatement(
            sql: """
                UPDATE push_job SET available_at = NULL, collapse = ?3
                WHERE device = ?1 AND notification = ?2 AND available_at IS NOT NULL
                """)
        mark = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO push_job (
                    device, notification, provider, is_fallback, failures, expiry, collapse
                ) VALUES (?1, ?2, ?3, 0, 0, 0, ?4)
                """)
        trim = try db.cachedStatement(
            sql: """
                DELETE FROM push_job WHERE device = ?1 AND available_at IS NULL AND notification <= (
                    SELECT notification FROM push_job WHERE device = ?1 AND notification <= ?2 AND available_at IS NULL
                    ORDER BY notification DESC LIMIT 1 OFFSET ?3)
                """)
        findContents = try db.cachedStatement(
            sql: """
                SELECT notification.id, notification.content FROM push_job
                    CROSS JOIN notification ON notification.inbox = ?2 AND notification.id = push_job.notification
                WHERE device = ?1 AND push_job.notification > 0 AND (available_at IS NULL OR is_shown = 1)
                """)
        findShown = try db.cachedStatement(
            sql: "SELECT 1 FROM push_job WHERE device = ? AND available_at IS NULL AND collapse = ? LIMIT 1")
    }

    /// Keeps a waiting job as the mark of what is shown; tells whether it was still there.
    /// - Parameter collapse: the collapse id, where that is not the notification's own.
    func show(device: Int64, notification: Int64, collapse: String?) throws -> Bool {
        try show.execute(arguments: [device, notification, collapse])
        return db.changesCount > 0
    }

    /// Notes what is shown of a job that was cancelled while it was on its way.
    func mark(device: Int64, notification: Int64, provider: Device.Provider, collapse: String?) throws {
        try mark.execute(arguments: [device, notification, provider.rawValue, collapse])
    }

    /// Forgets all but the newest marks up to a notification: what lies so deep in a screen's list nobody looks for.
    func trim(device: Int64, upTo notification: Int64, keeping count: Int) throws {
        try trim.execute(arguments: [device, notification, count])
    }

    /// Whether something of this collapse id is marked as shown.
    func shows(device: Int64, collapse: String) throws -> Bool {
        try findShown.first([device, collapse]) { _ in true } ?? false
    }

    /// The notifications that a device shows, and their contents' rows.
    func contents(device: Int64, inbox: Int64) throws -> [(notification: Int64, content: Int64)] {
        try findContents.all([device, inbox]) { (notification: try $0.int(0), content: try $0.int(1)) }
    }
}
