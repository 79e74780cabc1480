import GRDB
import Inbox
import Push

/// The statements that send a push of the same notification once more, after it has grown.
struct PushRenewalTable {
    /// What there is of a notification's push.
    enum Trace {
        case waiting
        /// It was accepted.
        case shown(PushMark)
    }

    private let db: Database
    private let waiting: WaitingPushes
    private let marks: PushMarkTable
    private let places: QueuePlaces
    private let find: Statement
    private let findPlace: Statement
    private let findOther: Statement
    private let renew: Statement
    private let keep: Statement
    private let grow: Statement

    init(_ db: Database, _ waiting: WaitingPushes, _ places: QueuePlaces, _ marks: PushMarkTable) throws {
        self.db = db
        self.waiting = waiting
        self.marks = marks
        self.places = places
        find = try db.cachedStatement(sql: "SELECT 1 FROM push_job WHERE number = \(PushJobNumber.of())")
        findPlace = try db.cachedStatement(sql: "SELECT shown_as FROM push_job WHERE number = \(PushJobNumber.of())")
        findOther = try db.cachedStatement(
            sql: """
                SELECT 1 FROM push_job
                WHERE \(PushJobNumber.isOf()) AND number <> \(PushJobNumber.of()) AND (collapse = ?3 OR shown_as = ?3)
                LIMIT 1
                """)
        renew = try db.cachedStatement(
            sql: """
                INSERT INTO push_job (
                    number, place, is_fallback, failures, expiry, fold_key, seq, deadline, held_from, is_shown, collapse,
                    shown_as
                ) VALUES (\(PushJobNumber.of()), ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?11)
                """)
        keep = try db.cachedStatement(
            sql: """
                UPDATE push_job SET is_shown = 1, shown_as = nullif(?4, coalesce(collapse, ?5))
                WHERE number = \(PushJobNumber.of()) AND seq > ?3
                """)
        grow = try db.cachedStatement(
            sql: "UPDATE push_job SET seq = ?3 WHERE number = \(PushJobNumber.of())")
    }

    func trace(device: Int64, notification: Int64) throws -> Trace? {
        if try find.first([device, notification], { _ in true }) != nil { return .waiting }
        return try marks.mark(device: device, notification: notification).map(Trace.shown)
    }

    /// The collapse id under which an earlier push is on the screen, where that is not the one with which the next leaves.
    func shownAs(device: Int64, notification: Int64) throws -> String? {
        try findPlace.first([device, notification]) { try $0.optionalText(0) } ?? nil
    }

    /// A push is on the screen that knew the inbox up to `seq`: a job that waits because of a later growth stays, and remembers
    /// that.
    ///
    /// - Parameters:
    ///   - name: of the notification.
    ///   - collapse: of the push.
    /// - Returns: whether there is one.
    func keep(device: Int64, _ name: NotificationID, after seq: Int64, collapse: String) throws -> Bool {
        try keep.execute(arguments: [device, name.sequence, seq, collapse, name.text])
        return db.changesCount > 0
    }

    /// What waits says more by now: an acknowledgement of what there was before `seq` does not cancel it any more.
    func grow(device: Int64, notification: Int64, to seq: Int64) throws {
        try grow.execute(arguments: [device, notification, seq])
    }

    /// Makes a waiting job of what is shown.
    ///
    /// Under its collapse id it is on the screen, and there the later push takes its place. Not in a fold with others, which
    /// would be replaced with it: whoever is left of one has the fold's id alone.
    /// - Parameters:
    ///   - name: of the notification that the job is about.
    ///   - mark: as ``trace(device:notification:)`` told it.
    /// - Returns: where it stands.
    func renew(
        _ job: NewPushJob, of name: NotificationID, provider: Device.Provider, _ mark: PushMark
    ) throws -> PushTurns.Place {
        _ = try marks.take([mark.notification], device: job.device)
        var (next, place) = (mark.collapse, String?.none)
        if let collapse = mark.collapse, try isShared(collapse, job) {
            next = collapse == name.text ? CollapseID.besideFold(of: name) : job.collapse
            place = collapse == next ? nil : collapse
        }
        let position = try places.next(of: provider, at: job.due)
        try renew.execute(
            arguments: [
                job.device, job.notification, position.rawValue, job.isFallback ? 1 : 0, job.expiry.milliseconds,
                job.foldKey, job.seq, job.deadline?.milliseconds, job.heldFrom?.milliseconds,
                next, place,
            ])
        waiting.changed(by: db.changesCount, of: provider)
        return PushTurns.Place(position: position, device: job.device, notification: job.notification)
    }

    /// Whether others of the job's device have that collapse id.
    private func isShared(_ collapse: String, _ job: NewPushJob) throws -> Bool {
        if try findOther.first([job.device, job.notification, collapse], { _ in true }) != nil { return true }
        return try marks.marks(device: job.device).contains { $0.collapse.map { ExactText($0) } == ExactText(collapse) }
    }
}
