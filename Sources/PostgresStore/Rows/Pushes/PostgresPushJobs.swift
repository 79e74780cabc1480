import Deliveries
import Inbox
import Postgres
import Push

/// The queue of pushes: the table `push_job`.
final class PostgresPushJobs: PostgresPart, PushJobRows {
    // MARK: Queueing

    private static let insertion = PostgresStatement(
        composed: """
            \(QueuePlace.free)
            INSERT INTO push_job (
                provider, due, turn, device, notification, is_fallback, expiry, fold_key, collapse, withdrawn, seq,
                deadline, held_from, content, is_shown, shown_as
            )
            SELECT $1, place.due, place.turn, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM place
            RETURNING provider, due, turn, device, notification
            """)

    func queue(_ job: NewPushJob, provider: Device.Provider) -> PushTurns.Place? {
        rows.facts.forgetWaiting()
        rows.gatheredJobs.add(job, provider)
        return nil
    }

    func insert(_ job: NewPushJob, provider: Device.Provider) throws -> PushTurns.Place {
        try insert(job, provider, collapse: job.collapse, content: job.content)
    }

    /// - Parameters:
    ///   - isShown: whether an earlier push of the notification is on the screen.
    ///   - shownAs: its collapse id there, where that is not `collapse`.
    func insert(
        _ job: NewPushJob, _ provider: Device.Provider, collapse: String?, content: Int64? = nil,
        isShown: Bool = false, shownAs: String? = nil
    ) throws -> PushTurns.Place {
        rows.facts.forgetWaiting()
        let result = try written.run(
            Self.insertion,
            [
                provider.column, QueuePlace.moment(of: job.due, provider), .int64(job.device),
                .int64(job.notification), .bool(job.isFallback), .time(job.expiry), .utf8(job.foldKey),
                .text(collapse), CollapseIDs.text(job.withdrawn), .int64(job.seq), .time(job.deadline),
                .time(job.heldFrom), .int64(content), .bool(isShown), .text(shownAs),
            ])
        return try place(in: result[0], provider)
    }

    /// - Parameter row: begins with ``PushTurns/Place/columns``.
    private func place(in row: PostgresRow, _ provider: Device.Provider) throws -> PushTurns.Place {
        PushTurns.Place(
            position: QueuePlace(of: provider, due: try row.int64(1), turn: try row.int64(2)),
            device: try row.int64(3), notification: try row.int64(4))
    }

    func badges(device: Int64) throws -> [(place: Int64, withdrawn: [String])] {
        try written.run(
            """
            SELECT notification, withdrawn FROM push_job WHERE device = $1 AND notification < 0 ORDER BY due, turn
            """, [.int64(device)]
        ).map { (place: try $0.int64(0), withdrawn: CollapseIDs.read(try $0.textOrNil(1))) }
    }

    func write(withdrawn: [String], device: Int64, place: Int64) throws {
        try written.queue(
            "UPDATE push_job SET withdrawn = $1 WHERE device = $2 AND notification = $3",
            [CollapseIDs.text(withdrawn), .int64(device), .int64(place)])
    }

    // The devices are found first, here and below: whatever is known of the tables' sizes, no job of another is read.

    func clearContent(inbox: Int64, notification: Int64) throws {
        guard PushJobNumber.notifications.contains(notification) else { return }
        try written.queue(
            """
            UPDATE push_job SET content = NULL
            WHERE device = ANY (ARRAY(SELECT row FROM device WHERE inbox = $1)) AND notification = $2
                AND content IS NOT NULL
            """, [.int64(inbox), .int64(notification)])
    }

    func waits(inbox: Int64, notification: Int64) throws -> Bool {
        try written.run(
            """
            SELECT EXISTS (
                SELECT 1 FROM push_job
                WHERE device = ANY (ARRAY(SELECT row FROM device WHERE inbox = $1)) AND notification = $2
            )
            """, [.int64(inbox), .int64(notification)])[0].bool(0)
    }

    func move(
        device: Int64, from earlier: Device.Provider, to provider: Device.Provider
    ) throws -> [PushTurns.Place] {
        let jobs = try written.run(
            "SELECT notification, due FROM push_job WHERE device = $1 ORDER BY due, turn", [.int64(device)])
        // One by one, so that each lies behind the one before.
        return try jobs.compactMap { row in
            let due = Timestamp(milliseconds: try row.int64(1))
            return try move(device, try row.int64(0), provider, to: due)
        }
    }

    private static let moving = PostgresStatement(
        composed: """
            \(QueuePlace.free)
            UPDATE push_job SET provider = $1, due = place.due, turn = place.turn FROM place
            WHERE push_job.device = $3 AND push_job.notification = $4
            RETURNING \(PushTurns.Place.columns)
            """)

    /// Gives a job another place; nil if it is gone.
    func move(
        _ device: Int64, _ notification: Int64, _ provider: Device.Provider, to due: Timestamp
    ) throws -> PushTurns.Place? {
        let moved = try written.run(
            Self.moving,
            [provider.column, QueuePlace.moment(of: due, provider), .int64(device), .int64(notification)])
        return try moved.first.map { try place(in: $0, provider) }
    }

    // MARK: Handing out

    /// No row is damaged.
    func leaveOut(_ place: PushTurns.Place) {}

    private static let find = PostgresStatement(
        composed: """
            SELECT \(PushJobRow.columns) FROM push_job
            WHERE device = $1 AND notification = $2 AND due = $3 AND turn = $4 AND provider = $5
            """)

    func row(_ place: PushTurns.Place) throws -> PushJobRow? {
        let found = try written.run(Self.find, place.values + [.int64(Int64(place.position.provider))])
        return try found.first.flatMap { try PushJobRow($0, rows.providers) }
    }

    private static let walkAll = PostgresStatement(
        composed: """
            SELECT \(PushTurns.Place.columns), expiry, deadline, held_from IS NOT NULL, is_fallback FROM push_job
            WHERE provider = $1 ORDER BY due, turn
            """)

    func waiting(provider: Device.Provider) throws -> [WaitingPush] {
        try written.run(Self.walkAll, [provider.column]).map { row in
            WaitingPush(
                place: try place(in: row, provider), expiry: Timestamp(milliseconds: try row.int64(5)),
                deadline: try row.int64OrNil(6).map(Timestamp.init(milliseconds:)), isDated: try row.bool(7),
                isFallback: try row.bool(8))
        }
    }
}
