import GRDB
import Inbox
import Push

/// The statements that keep what devices show.
///
/// A job whose push was accepted stays in the queue's table as a mark, without a time, until its notification is read or
/// removed: only so do we know what may be on a screen. Its row is there already, so that costs no more than deleting it.
///
/// By reference, as ``PushJobTable``.
final class PushMarkTable {
    private let waiting: WaitingPushes
    /// So many jobs at once.
    static let mostJobs = 16

    private let show: DirectStatement
    private let showAll: StatementsByCount
    private let findMark: Statement
    private let mark: Statement
    private let findTrimEnd: Statement
    private let trim: Statement
    private let findShown: Statement
    private let findContents: Statement

    init(_ db: Database, _ waiting: WaitingPushes) throws {
        self.waiting = waiting
        show = try DirectStatement(
            db,
            sql: """
                UPDATE push_job SET available_at = NULL, collapse = ?3, sent_at = ?4, shown_as = NULL
                WHERE number = \(PushJobNumber.of()) AND available_at IS NOT NULL
                """)
        showAll = StatementsByCount(db, most: Self.mostJobs) { count in
            """
            UPDATE push_job SET available_at = NULL, collapse = NULL, sent_at = ?, shown_as = NULL
            WHERE number IN (\(Array(repeating: "?", count: count).joined(separator: ", "))) AND available_at IS NOT NULL
            """
        }
        findMark = try db.cachedStatement(
            sql: "SELECT 1 FROM push_job WHERE number = ? AND available_at IS NULL AND sent_at = ?")
        mark = try db.cachedStatement(
            sql: """
                INSERT INTO push_job (number, provider, is_fallback, failures, expiry, collapse, sent_at)
                VALUES (\(PushJobNumber.of()), ?3, 0, 0, 0, ?4, ?5)
                ON CONFLICT (number) DO UPDATE
                SET provider = excluded.provider, collapse = excluded.collapse, sent_at = coalesce(sent_at, excluded.sent_at)
                """)
        findTrimEnd = try db.cachedStatement(
            sql: """
                SELECT number FROM push_job
                WHERE \(PushJobNumber.isOf()) AND number <= \(PushJobNumber.of()) AND available_at IS NULL
                ORDER BY number DESC LIMIT 1 OFFSET ?3
                """)
        trim = try db.cachedStatement(
            sql: """
                DELETE FROM push_job WHERE \(PushJobNumber.isOf()) AND number <= ?2 AND available_at IS NULL
                RETURNING \(PushJobNumber.notification()), provider, sent_at
                """)
        findContents = try db.cachedStatement(
            sql: """
                SELECT notification.id, notification.content FROM push_job
                    CROSS JOIN notification
                        ON notification.inbox = ?2 AND notification.id = \(PushJobNumber.notification())
                WHERE \(PushJobNumber.isOf()) AND number > \(PushJobNumber.of("?1", "0"))
                    AND (available_at IS NULL OR is_shown = 1)
                """)
        findShown = try db.cachedStatement(
            sql: """
                SELECT 1 FROM push_job
                WHERE \(PushJobNumber.isOf()) AND (available_at IS NULL OR is_shown = 1)
                    AND (coalesce(shown_as, collapse) = ?2
                        OR number = \(PushJobNumber.of("?1", "?3")) AND coalesce(shown_as, collapse) IS NULL)
                LIMIT 1
                """)
    }

    /// Keeps a waiting job as the mark of what is shown; tells whether it was still there.
    /// - Parameters:
    ///   - provider: the device's of the moment.
    ///   - collapse: the collapse id, where that is not the notification's own.
    ///   - sentAt: when it was accepted; nil if the trail has a step that says so.
    func show(
        device: Int64, notification: Int64, _ provider: Device.Provider, collapse: String?, sentAt: Timestamp?
    ) throws -> Bool {
        try show.execute { arguments in
            arguments.append(device)
            arguments.append(notification)
            arguments.append(collapse)
            arguments.append(sentAt?.milliseconds)
        }
        let changed = show.changedRows
        waiting.changed(by: -changed, of: provider)
        return changed > 0
    }

    /// Keeps waiting jobs, each shown under its notification's own name, as the marks of that.
    /// - Parameters:
    ///   - jobs: ``mostJobs`` at most.
    ///   - provider: their devices', of the moment.
    ///   - sentAt: when they were accepted.
    /// - Returns: of each whether it was still there.
    func show(_ jobs: [PushJobNumber], _ provider: Device.Provider, sentAt: Timestamp) throws -> [Bool] {
        guard !jobs.isEmpty else { return [] }
        let statement = try showAll(jobs.count)
        try statement.execute { arguments in
            arguments.append(sentAt.milliseconds)
            for job in jobs { arguments.append(job.rawValue) }
        }
        let changed = statement.changedRows
        waiting.changed(by: -changed, of: provider)
        if changed == jobs.count { return [Bool](repeating: true, count: changed) }
        // Hardly ever is one of them cancelled on its way.
        return try jobs.map { job in try findMark.first([job.rawValue, sentAt.milliseconds]) { _ in true } ?? false }
    }

    /// Notes what is shown of a job that was cancelled while it was on its way. See
    /// ``show(device:notification:_:collapse:sentAt:)``.
    func mark(
        device: Int64, notification: Int64, provider: Device.Provider, collapse: String?, sentAt: Timestamp?
    ) throws {
        try mark.execute(arguments: [device, notification, provider.rawValue, collapse, sentAt?.milliseconds])
    }

    /// Forgets all but the newest marks up to a notification: what lies so deep in a screen's list nobody looks for.
    ///
    /// - Returns: what is to be told of them elsewhere from now on.
    func trim(device: Int64, upTo notification: Int64, keeping count: Int) throws -> [SentPush] {
        // Most devices show fewer.
        guard let end = try findTrimEnd.first([device, notification, count], { try $0.int(0) }) else { return [] }
        return try trim.all([device, end], SentPush.init).compactMap(\.self)
    }

    /// Whether something is on the screen under this collapse id: also a notification whose own id it is.
    func shows(device: Int64, collapse: String) throws -> Bool {
        // No notification has the number 0.
        let own = NotificationID(collapse)?.sequence ?? 0
        return try findShown.first([device, collapse, own]) { _ in true } ?? false
    }

    /// The notifications that a device shows, and their contents' rows.
    func contents(device: Int64, inbox: Int64) throws -> [(notification: Int64, content: Int64)] {
        try findContents.all([device, inbox]) { (notification: try $0.int(0), content: try $0.int(1)) }
    }
}
