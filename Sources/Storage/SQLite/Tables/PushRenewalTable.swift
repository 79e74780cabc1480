import GRDB
import Inbox
import Push

/// The statements that send a push of the same notification once more, after it has grown.
struct PushRenewalTable {
    /// What there is of a notification's push.
    enum Trace: Equatable {
        case waiting
        /// It was accepted; when, where only its mark says so.
        case shown(sentAt: Timestamp?)
    }

    private let find: Statement
    private let renew: Statement

    init(_ db: Database) throws {
        find = try db.cachedStatement(
            sql: "SELECT available_at IS NULL, sent_at FROM push_job WHERE device = ? AND notification = ?")
        renew = try db.cachedStatement(
            sql: """
                UPDATE push_job SET provider = ?3, available_at = ?4, is_fallback = ?5, failures = 0, expiry = ?6,
                    fold_key = ?7, fold = NULL, collapse = ?8, seq = ?9, deadline = ?10, held_from = ?11, is_shown = 1,
                    sent_at = NULL
                WHERE device = ?1 AND notification = ?2 AND available_at IS NULL
                """)
    }

    func trace(device: Int64, notification: Int64) throws -> Trace? {
        try find.first([device, notification]) { row in
            guard try row.bool(0) else { return .waiting }
            return .shown(sentAt: try row.optionalInt(1).map(Timestamp.init(milliseconds:)))
        }
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
