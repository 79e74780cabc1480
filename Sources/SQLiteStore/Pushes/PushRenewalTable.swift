import Deliveries
import GRDB
import Inbox
import Push

/// The statements that push a notification again after it has grown.
final class PushRenewalTable: PushRenewalRows {
    private let db: Database
    private let waiting: WaitingPushes
    private let places: QueuePlaces
    private let jobs: PushJobIndex
    private let findPlace: Statement
    private let collapseIDs: PlacedRows
    private let renew: Statement
    private let keep: Statement
    private let grow: Statement

    init(_ db: Database, _ waiting: WaitingPushes, _ places: QueuePlaces, _ jobs: PushJobIndex) throws {
        self.db = db
        self.jobs = jobs
        self.waiting = waiting
        self.places = places
        let same = "WHERE place = ?1 AND number = ?2"
        findPlace = try db.statement(sql: "SELECT shown_as FROM push_job \(same)")
        collapseIDs = PlacedRows(
            db, "place, number, collapse, shown_as", where: "collapse IS NOT NULL OR shown_as IS NOT NULL")
        renew = try db.statement(
            sql: """
                INSERT INTO push_job (
                    place, number, is_fallback, failures, expiry, fold_key, seq, deadline, held_from, is_shown, collapse,
                    shown_as
                ) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, 1, ?, ?)
                """)
        keep = try db.statement(
            sql: """
                UPDATE push_job SET is_shown = 1, shown_as = nullif(?4, coalesce(collapse, ?5)) \(same) AND seq > ?3
                """)
        grow = try db.statement(sql: "UPDATE push_job SET seq = ?3 \(same)")
    }

    func waits(device: Int64, notification: Int64) -> Bool {
        jobs.place(device: device, notification: notification) != nil
    }

    func collapseIDs(device: Int64, except notification: Int64) throws -> [String] {
        let others = jobs.places(device: device).filter { $0.notification != notification }
        return try collapseIDs.all(others) { row in [try row.optionalText(2), try row.optionalText(3)] }
            .joined().compactMap(\.self)
    }

    /// The collapse id of an earlier push on the screen, where it is not the one with which the next push leaves.
    func shownAs(device: Int64, notification: Int64) throws -> String? {
        guard let place = jobs.place(device: device, notification: notification) else { return nil }
        return try findPlace.first([place.position.rawValue, place.number.rawValue]) { try $0.optionalText(0) } ?? nil
    }

    /// Notes that a push is on the screen which covers the inbox up to `seq`. A job that waits for a later growth
    /// stays, and remembers that push.
    ///
    /// - Parameters:
    ///   - name: of the notification.
    ///   - collapse: of the push.
    /// - Returns: whether such a job waits.
    func keep(device: Int64, _ name: NotificationID, after seq: Int64, collapse: String) throws -> Bool {
        guard let place = jobs.place(device: device, notification: name.sequence) else { return false }
        try keep.execute(
            arguments: [place.position.rawValue, place.number.rawValue, seq, collapse, name.text])
        return keep.changedRows > 0
    }

    /// Notes that a waiting push covers changes up to `seq`: an acknowledgement of less no longer cancels it.
    func grow(device: Int64, notification: Int64, to seq: Int64) throws {
        guard let place = jobs.place(device: device, notification: notification) else { return }
        try grow.execute(arguments: [place.position.rawValue, place.number.rawValue, seq])
    }

    /// Queues a job of what is shown; tells where it stands.
    func insert(
        _ job: NewPushJob, _ provider: Device.Provider, collapse: String?, shownAs: String?
    ) throws -> PushTurns.Place {
        let renewed = PushTurns.Place(
            position: try places.next(of: provider, at: job.due), device: job.device, notification: job.notification)
        try jobs.insert(renewed)
        try renew.execute(
            arguments: [
                renewed.position.rawValue, renewed.number.rawValue, job.isFallback ? 1 : 0, job.expiry.milliseconds,
                job.foldKey, job.seq, job.deadline?.milliseconds, job.heldFrom?.milliseconds, collapse, shownAs,
            ])
        waiting.changed(by: 1, of: provider)
        return renewed
    }
}
