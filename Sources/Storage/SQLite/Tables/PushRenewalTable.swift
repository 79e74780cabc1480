import GRDB
import Inbox
import Push

/// The statements that send a push of the same notification once more, after it has grown.
struct PushRenewalTable {
    /// What there is of a notification's push.
    enum Trace {
        case waiting
        /// It was accepted; when and through whom, where only its mark says so.
        case shown(SentPush?)
    }

    private let db: Database
    private let find: Statement
    private let renew: Statement
    private let keep: Statement
    private let grow: Statement

    init(_ db: Database) throws {
        self.db = db
        find = try db.cachedStatement(
            sql: """
                SELECT notification, provider, sent_at, available_at IS NULL FROM push_job
                WHERE device = ? AND notification = ?
                """)
        // Under its collapse id it is on the screen, and there the later push takes its place. Not in a fold with others, which
        // would be replaced with it: whoever is left of one has the fold's id alone.
        renew = try db.cachedStatement(
            sql: """
                UPDATE push_job SET provider = ?3, available_at = ?4, is_fallback = ?5, failures = 0, expiry = ?6,
                    fold_key = ?7, fold = NULL, seq = ?8, deadline = ?9, held_from = ?10, is_shown = 1, sent_at = NULL,
                    collapse = CASE
                        WHEN NOT EXISTS (
                            SELECT 1 FROM push_job other
                            WHERE other.device = ?1 AND other.notification <> ?2 AND other.collapse = push_job.collapse
                        ) THEN collapse
                        WHEN collapse = ?12 THEN ?13
                        ELSE ?11
                    END
                WHERE device = ?1 AND notification = ?2 AND available_at IS NULL
                """)
        keep = try db.cachedStatement(
            sql: """
                UPDATE push_job SET is_shown = 1
                WHERE device = ? AND notification = ? AND available_at IS NOT NULL AND seq > ?
                """)
        grow = try db.cachedStatement(
            sql: "UPDATE push_job SET seq = ?3 WHERE device = ?1 AND notification = ?2 AND available_at IS NOT NULL")
    }

    func trace(device: Int64, notification: Int64) throws -> Trace? {
        try find.first([device, notification]) { row in
            try row.bool(3) ? .shown(SentPush(row)) : .waiting
        }
    }

    /// A push is on the screen that knew the inbox up to `seq`: a job that waits because of a later growth stays, and remembers
    /// that.
    ///
    /// - Returns: whether there is one.
    func keep(device: Int64, notification: Int64, after seq: Int64) throws -> Bool {
        try keep.execute(arguments: [device, notification, seq])
        return db.changesCount > 0
    }

    /// What waits says more by now: an acknowledgement of what there was before `seq` does not cancel it any more.
    func grow(device: Int64, notification: Int64, to seq: Int64) throws {
        try grow.execute(arguments: [device, notification, seq])
    }

    /// Makes a waiting job of what is shown, which says no longer when it was accepted.
    /// - Parameter name: of the notification that the job is about.
    func renew(_ job: NewPushJob, of name: NotificationID, provider: Device.Provider) throws {
        try renew.execute(
            arguments: [
                job.device, job.notification, provider.rawValue, job.due.milliseconds, job.isFallback ? 1 : 0,
                job.expiry.milliseconds, job.foldKey, job.seq, job.deadline?.milliseconds, job.heldFrom?.milliseconds,
                job.collapse, name.text, CollapseID.besideFold(of: name),
            ])
    }
}
