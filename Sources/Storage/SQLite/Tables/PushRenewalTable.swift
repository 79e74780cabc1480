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

    init(_ db: Database) throws {
        self.db = db
        find = try db.cachedStatement(
            sql: """
                SELECT notification, provider, sent_at, available_at IS NULL FROM push_job
                WHERE device = ? AND notification = ?
                """)
        renew = try db.cachedStatement(
            sql: """
                UPDATE push_job SET provider = ?3, available_at = ?4, is_fallback = ?5, failures = 0, expiry = ?6,
                    fold_key = ?7, fold = NULL, collapse = ?8, seq = ?9, deadline = ?10, held_from = ?11, is_shown = 1,
                    sent_at = NULL
                WHERE device = ?1 AND notification = ?2 AND available_at IS NULL
                """)
        keep = try db.cachedStatement(
            sql: """
                UPDATE push_job SET is_shown = 1
                WHERE device = ? AND notification = ? AND available_at IS NOT NULL AND seq > ?
                """)
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

    /// Makes a waiting job of what is shown, which says no longer when it was accepted.
    func renew(_ job: NewPushJob, provider: Device.Provider) throws {
        try renew.execute(
            arguments: [
                job.device, job.notification, provider.rawValue, job.due.milliseconds, job.isFallback ? 1 : 0,
                job.expiry.milliseconds, job.foldKey, job.collapse, job.seq, job.deadline?.milliseconds,
                job.heldFrom?.milliseconds,
            ])
    }
}
