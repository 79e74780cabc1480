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
    private let jobs: PushJobIndex
    private let findPlace: Statement
    private let collapseIDs: PlacedRows
    private let renew: Statement
    private let keep: Statement
    private let grow: Statement

    init(
        _ db: Database, _ waiting: WaitingPushes, _ places: QueuePlaces, _ jobs: PushJobIndex, _ marks: PushMarkTable
    ) throws {
        self.db = db
        self.jobs = jobs
        self.waiting = waiting
        self.marks = marks
        self.places = places
        let same = "WHERE place = ?1 AND number = ?2"
        findPlace = try db.cachedStatement(sql: "SELECT shown_as FROM push_job \(same)")
        collapseIDs = PlacedRows(
            db, "place, number, collapse, shown_as", where: "collapse IS NOT NULL OR shown_as IS NOT NULL")
        renew = try db.cachedStatement(
            sql: """
                INSERT INTO push_job (
                    place, number, is_fallback, failures, expiry, fold_key, seq, deadline, held_from, is_shown, collapse,
                    shown_as
                ) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, 1, ?, ?)
                """)
        keep = try db.cachedStatement(
            sql: """
                UPDATE push_job SET is_shown = 1, shown_as = nullif(?4, coalesce(collapse, ?5)) \(same) AND seq > ?3
                """)
        grow = try db.cachedStatement(sql: "UPDATE push_job SET seq = ?3 \(same)")
    }

    func trace(device: Int64, notification: Int64) throws -> Trace? {
        if jobs.place(device: device, notification: notification) != nil { return .waiting }
        return try marks.mark(device: device, notification: notification).map(Trace.shown)
    }

    /// The collapse id under which an earlier push is on the screen, where that is not the one with which the next
    /// leaves.
    func shownAs(device: Int64, notification: Int64) throws -> String? {
        guard let place = jobs.place(device: device, notification: notification) else { return nil }
        return try findPlace.first([place.position.rawValue, place.number.rawValue]) { try $0.optionalText(0) } ?? nil
    }

    /// A push is on the screen that knew the inbox up to `seq`: a job that waits because of a later growth stays, and
    /// remembers that.
    ///
    /// - Parameters:
    ///   - name: of the notification.
    ///   - collapse: of the push.
    /// - Returns: whether there is one.
    func keep(device: Int64, _ name: NotificationID, after seq: Int64, collapse: String) throws -> Bool {
        guard let place = jobs.place(device: device, notification: name.sequence) else { return false }
        try keep.execute(
            arguments: [place.position.rawValue, place.number.rawValue, seq, collapse, name.text])
        return db.changesCount > 0
    }

    /// What waits says more by now: an acknowledgement of what there was before `seq` does not cancel it any more.
    func grow(device: Int64, notification: Int64, to seq: Int64) throws {
        guard let place = jobs.place(device: device, notification: notification) else { return }
        try grow.execute(arguments: [place.position.rawValue, place.number.rawValue, seq])
    }

    /// Makes a waiting job of what is shown.
    ///
    /// Under its collapse id it is on the screen, and there the later push takes its place. Not in a fold with others,
    /// which would be replaced with it: whoever is left of one has the fold's id alone.
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
            // Its own id may be that of a fold that others need: of this one, or of one before it.
            next =
                try job.collapse ?? (isShared(name.text, job) ? CollapseID.besideFold(of: name, at: job.seq ?? 0) : nil)
            place = collapse == next ? nil : collapse
        }
        let renewed = PushTurns.Place(
            position: try places.next(of: provider, at: job.due), device: job.device, notification: job.notification)
        try jobs.insert(renewed)
        try renew.execute(
            arguments: [
                renewed.position.rawValue, renewed.number.rawValue, job.isFallback ? 1 : 0, job.expiry.milliseconds,
                job.foldKey, job.seq, job.deadline?.milliseconds, job.heldFrom?.milliseconds,
                next, place,
            ])
        waiting.changed(by: 1, of: provider)
        return renewed
    }

    /// Whether others of the job's device have that collapse id.
    private func isShared(_ collapse: String, _ job: NewPushJob) throws -> Bool {
        let others = jobs.places(device: job.device).filter { $0.notification != job.notification }
        let ids = try collapseIDs.all(others) { row in [try row.optionalText(2), try row.optionalText(3)] }
        if ids.joined().contains(where: { $0.map { ExactText($0) } == ExactText(collapse) }) { return true }
        return try marks.marks(device: job.device).contains { $0.collapse.map { ExactText($0) } == ExactText(collapse) }
    }
}
