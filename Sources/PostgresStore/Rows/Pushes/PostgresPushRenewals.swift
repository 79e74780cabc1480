import Deliveries
import Inbox
import Postgres
import Push

/// Pushes of notifications that were pushed before, and have grown.
final class PostgresPushRenewals: PostgresPart, PushRenewalRows {
    func waits(device: Int64, notification: Int64) throws -> Bool {
        try !connection.run(
            "SELECT 1 FROM push_job WHERE device = $1 AND notification = $2", [.int64(device), .int64(notification)]
        ).isEmpty
    }

    func shownAs(device: Int64, notification: Int64) throws -> String? {
        try written.run(
            "SELECT shown_as FROM push_job WHERE device = $1 AND notification = $2",
            [.int64(device), .int64(notification)]
        ).first?.textOrNil(0)
    }

    func collapseIDs(device: Int64, except notification: Int64) throws -> [String] {
        try written.run(
            """
            SELECT collapse, shown_as FROM push_job
            WHERE device = $1 AND notification <> $2 AND (collapse IS NOT NULL OR shown_as IS NOT NULL)
            ORDER BY due, turn
            """, [.int64(device), .int64(notification)]
        ).flatMap { [try $0.textOrNil(0), try $0.textOrNil(1)] }.compactMap(\.self)
    }

    func keep(device: Int64, _ name: NotificationID, after seq: Int64, collapse: String) throws -> Bool {
        try written.run(
            """
            UPDATE push_job SET is_shown = true, shown_as = nullif($4, coalesce(collapse, $5))
            WHERE device = $1 AND notification = $2 AND seq > $3
            """, [.int64(device), .int64(name.sequence), .int64(seq), .text(collapse), .text(name.text)]
        ).changedRows > 0
    }

    func grow(device: Int64, notification: Int64, to seq: Int64) throws {
        try written.queue(
            "UPDATE push_job SET seq = $3 WHERE device = $1 AND notification = $2",
            [.int64(device), .int64(notification), .int64(seq)])
    }

    func insert(
        _ job: NewPushJob, _ provider: Device.Provider, collapse: String?, shownAs: String?
    ) throws -> PushTurns.Place {
        try PostgresPushJobs(rows).insert(job, provider, collapse: collapse, isShown: true, shownAs: shownAs)
    }
}
