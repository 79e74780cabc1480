import Deliveries
import GRDB
import Inbox
import Push
import Store

/// The statements that keep the queue of pushes. Device and notification together identify a job.
///
/// A class: every push asks for it several times, and a copy would count a reference to each statement.
final class PushJobTable: PushWalkRows {
    private let waiting: WaitingPushes
    private let places: QueuePlaces
    private let jobs: PushJobIndex
    private let insert: Statement
    private let walk: Statement
    private let findRow: Statement
    private let findNext: Statement
    private let findWaiting: Statement
    private let runs: PushJobRuns
    private let findPutOff: Statement
    private let putOff: Statement
    private let giveUp: Statement
    private let delete: Statement
    private let findDevices: Statement
    private let fallbacks: PlacedRows
    private let dropped: PlacedRows
    private let shown: PlacedRows
    private let badges: PlacedRows
    private let gather: Statement
    private let clearContent: Statement
    private let move: Statement
    private let providers: ProviderList
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(
        _ db: Database, _ waiting: WaitingPushes, _ places: QueuePlaces, _ jobs: PushJobIndex,
        _ providers: ProviderList, _ damage: DamageWatch
    ) throws {
        (self.providers, self.damage) = (providers, damage)
        self.waiting = waiting
        self.places = places
        self.jobs = jobs
        // Damage can give two rows the same number. Place and number together tell them apart.
        let same = "WHERE place = ?1 AND number = ?2"
        insert = try Statement(
            db,
            sql: """
                INSERT INTO push_job (
                    place, number, is_fallback, failures, expiry, fold_key, collapse, withdrawn, seq, deadline, held_from,
                    content
                ) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        walk = try Statement(
            db,
            sql: """
                SELECT \(PushJobRow.plainColumns) FROM push_job WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?
                """)
        findRow = try Statement(
            db, sql: "SELECT \(PushJobRow.columns) FROM push_job WHERE place = ? AND number = ?")
        findNext = try db.statement(
            sql: "SELECT place FROM push_job WHERE place BETWEEN ? AND ? ORDER BY place LIMIT 1")
        findWaiting = try db.statement(
            sql: """
                SELECT place, number, expiry, deadline, held_from IS NOT NULL, is_fallback FROM push_job
                WHERE place BETWEEN ? AND ? ORDER BY place
                """)
        runs = try PushJobRuns(db, waiting, jobs)
        findPutOff = try db.statement(
            sql: "SELECT number FROM push_job WHERE place BETWEEN ? AND ? AND failures > 0 AND held_from IS NULL")
        putOff = try db.statement(
            sql: "UPDATE push_job SET place = ?3, failures = ?4, held_from = NULL \(same)")
        giveUp = try db.statement(
            sql: "DELETE FROM push_job \(same) RETURNING is_shown, coalesce(shown_as, collapse)")
        delete = try Statement(db, sql: "DELETE FROM push_job \(same)")
        findDevices = try Statement(db, sql: "SELECT row FROM device WHERE inbox = ? ORDER BY app, id")
        fallbacks = PlacedRows(
            db, "place, number, seq, is_shown, coalesce(shown_as, collapse)", where: "is_fallback = 1")
        dropped = PlacedRows(db, "place, number, failures > 0 OR is_shown = 1, collapse, shown_as")
        shown = PlacedRows(db, "place, number, coalesce(shown_as, collapse)", where: "is_shown = 1")
        badges = PlacedRows(db, "place, number, withdrawn")
        gather = try db.statement(sql: "UPDATE push_job SET withdrawn = ?3 \(same)")
        clearContent = try Statement(
            db, sql: "UPDATE push_job SET content = NULL \(same) AND content IS NOT NULL")
        move = try db.statement(sql: "UPDATE push_job SET place = ?3 \(same)")
    }

    // MARK: Queueing

    /// Returns the job's place. No job with its number may wait already.
    func insert(_ job: NewPushJob, provider: Device.Provider) throws -> PushTurns.Place {
        let place = PushTurns.Place(
            position: try places.next(of: provider, at: job.due), device: job.device, notification: job.notification)
        try jobs.insert(place)
        try insert.execute { arguments in
            arguments.append(place.position.rawValue)
            arguments.append(place.number.rawValue)
            arguments.append(job.isFallback ? 1 : 0)
            arguments.append(job.expiry.milliseconds)
            arguments.append(job.foldKey)
            arguments.append(job.collapse)
            arguments.append(Self.text(job.withdrawn))
            arguments.append(job.seq)
            arguments.append(job.deadline?.milliseconds)
            arguments.append(job.heldFrom?.milliseconds)
            arguments.append(job.content)
        }
        waiting.changed(by: 1, of: provider)
        return place
    }

    /// The badge pushes that wait for a device or are on their way to it: at most one of each number.
    func badges(device: Int64) throws -> [(place: Int64, withdrawn: [String])] {
        let waiting = jobs.places(device: device, from: -PushJobNumber.badges, to: -1)
        return try badges.all(waiting) { row in
            (place: try PushTurns.Place(row).notification, withdrawn: Self.ids(try row.optionalText(2)))
        }
    }

    func write(withdrawn: [String], device: Int64, place: Int64) throws {
        guard let place = jobs.place(device: device, notification: place) else { return }
        try gather.execute(arguments: [place.position.rawValue, place.number.rawValue, Self.text(withdrawn)])
    }

    /// Lets waiting pushes ask a notification for its content when they leave, as it no longer shows the one it came
    /// with.
    func clearContent(inbox: Int64, notification: Int64) throws {
        guard PushJobNumber.notifications.contains(notification) else { return }
        for device in try devices(inbox: inbox) {
            guard let place = jobs.place(device: device, notification: notification) else { continue }
            try clearContent.execute { arguments in
                arguments.append(place.position.rawValue)
                arguments.append(place.number.rawValue)
            }
        }
    }

    /// Whether a push of the notification waits for one of its person's devices.
    func waits(inbox: Int64, notification: Int64) throws -> Bool {
        try devices(inbox: inbox).contains { jobs.place(device: $0, notification: notification) != nil }
    }

    /// Moves a device's waiting jobs to another provider, and returns their new places.
    func move(
        device: Int64, from earlier: Device.Provider, to provider: Device.Provider
    ) throws -> [PushTurns.Place] {
        // One by one: each new place lies behind those that are taken.
        let moved = try jobs.places(device: device).sorted().map { place in
            let position = try places.next(of: provider, at: place.availableAt)
            try move.execute(arguments: [place.position.rawValue, place.number.rawValue, position.rawValue])
            jobs.move(place, to: position)
            return PushTurns.Place(position: position, number: place.number)
        }
        waiting.changed(by: -moved.count, of: earlier)
        waiting.changed(by: moved.count, of: provider)
        return moved
    }

    // MARK: Handing out

    /// The next due jobs behind `place`, at most `limit`.
    func due(
        at now: Timestamp, provider: Device.Provider, after place: QueuePlace?, limit: Int
    ) throws -> [WalkedJob] {
        var due: [WalkedJob] = []
        let naming = RowNaming(table: "push_job")
        try walk.forEach(
            { arguments in
                arguments.append((place?.next ?? QueuePlace.all(of: provider).lowerBound).rawValue)
                arguments.append(QueuePlace.last(of: provider, at: now).rawValue)
                arguments.append(limit)
            },
            // A job with an unreadable number belongs to no device.
            { row in if let job = try damage.sound(naming.row(row), { try WalkedJob(row) }) { due.append(job) } })
        return due
    }

    /// Reports that a job's row cannot be read.
    func leaveOut(_ place: PushTurns.Place) {
        damage.leaveOut(DamagedRow(table: "push_job", key: "\(place.position.rawValue)"))
    }

    /// The job at a place; nil if it is gone.
    func row(_ place: PushTurns.Place) throws -> PushJobRow? {
        try findRow.first(
            { arguments in
                arguments.append(place.position.rawValue)
                arguments.append(place.number.rawValue)
            }, PushJobRow.init)
    }

    /// The first time after `now` at which a job is due; nil if there is none.
    func nextDue(after now: Timestamp, provider: Device.Provider) throws -> Timestamp? {
        let (first, last) = (QueuePlace.last(of: provider, at: now).next, QueuePlace.all(of: provider).upperBound)
        return try findNext.first([first.rawValue, last.rawValue]) {
            QueuePlace(rawValue: try $0.int(0)).availableAt
        }
    }

    /// The notifications of jobs that were put off after a failure, by device. Jobs that are held by now are not among
    /// them, as they hold up nothing. Reads the provider's whole queue.
    func putOff(provider: Device.Provider) throws -> [Int64: [Int64]] {
        let all = QueuePlace.all(of: provider)
        let numbers = try findPutOff.all([all.lowerBound.rawValue, all.upperBound.rawValue]) {
            PushJobNumber(rawValue: try $0.int(0))
        }
        return Dictionary(grouping: numbers, by: \.device).mapValues { $0.map(\.notification) }
    }

    func waiting(provider: Device.Provider) throws -> [WaitingPush] {
        let all = QueuePlace.all(of: provider)
        return try findWaiting.all([all.lowerBound.rawValue, all.upperBound.rawValue]) { row -> WaitingPush? in
            guard let place = try? PushTurns.Place(row) else { return nil }
            var row = CheckedRow(row)
            let push = WaitingPush(
                place: place, expiry: row.time(2), deadline: row.optionalTime(3), isDated: row.flag(4),
                isFallback: row.flag(5))
            return row.isDamaged ? nil : push
        }.compactMap(\.self)
    }

    // MARK: Settling

    func delete(_ places: [PushTurns.Place], _ provider: Device.Provider) throws -> [Bool] {
        try runs.delete(places, provider)
    }

    /// Puts a job off and returns its new place; nil if the job is gone.
    /// - Parameter provider: the device's current one, and so that of all its jobs.
    func putOff(
        device: Int64, notification: Int64, _ provider: Device.Provider, to due: Timestamp, failures: Int
    ) throws -> PushTurns.Place? {
        guard let place = jobs.place(device: device, notification: notification) else { return nil }
        let position = try places.next(of: provider, at: due)
        try putOff.execute(
            arguments: [place.position.rawValue, place.number.rawValue, position.rawValue, failures])
        jobs.move(place, to: position)
        return PushTurns.Place(position: position, number: place.number)
    }

    /// Deletes a job, and returns whether it was still there.
    /// - Parameter provider: the device's current one.
    func delete(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool {
        guard let place = jobs.place(device: device, notification: notification) else { return false }
        return try delete(place, provider)
    }

    private func delete(_ place: PushTurns.Place, _ provider: Device.Provider) throws -> Bool {
        try delete.execute { arguments in
            arguments.append(place.position.rawValue)
            arguments.append(place.number.rawValue)
        }
        guard delete.changedRows > 0 else { return false }
        left(place, provider)
        return true
    }

    private func left(_ place: PushTurns.Place, _ provider: Device.Provider) {
        jobs.remove(place)
        waiting.changed(by: -1, of: provider)
    }

    /// Deletes a job whose push will not be shown.
    /// - Parameter provider: the device's current one.
    /// - Returns: the mark of an earlier push that the device shows; nil if there is none.
    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> PushMark? {
        guard let place = jobs.place(device: device, notification: notification) else { return nil }
        let given = try giveUp.all([place.position.rawValue, place.number.rawValue]) { row in
            try row.bool(0)
                ? PushMark(notification: notification, provider: provider, collapse: row.optionalText(1)) : nil
        }
        if !given.isEmpty { left(place, provider) }
        return given.first ?? nil
    }

    // MARK: Cancelling

    /// Deletes and returns the jobs that an acknowledgement covers.
    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws -> [AcknowledgedPush] {
        var deleted: [AcknowledgedPush] = []
        for device in try devices(inbox: inbox) {
            let waiting: [(job: AcknowledgedPush, place: PushTurns.Place)?] = try fallbacks.all(
                jobs.places(device: device, from: 1, to: seq)
            ) { row in
                let place = try PushTurns.Place(row)
                let isCovered = try row.optionalInt(2).map { $0 <= seq } ?? true
                guard isCovered, let provider = providers[place: place.position.provider] else { return nil }
                let job = AcknowledgedPush(
                    provider: provider, device: device, notification: place.notification, isShown: try row.bool(3),
                    place: try row.optionalText(4))
                return (job: job, place: place)
            }
            for case let one? in waiting where try delete(one.place, one.job.provider) { deleted.append(one.job) }
        }
        return deleted
    }

    /// The device's jobs about these notifications, in their order.
    /// - Parameters:
    ///   - first: the lowest notification.
    ///   - last: the highest.
    func rows(device: Int64, of notifications: Set<Int64>, from first: Int64, to last: Int64) throws -> [DroppedPush] {
        let waiting = jobs.places(device: device, from: first, to: last)
            .filter { notifications.contains($0.notification) }
        return try dropped.all(waiting) { row in
            DroppedPush(
                notification: try PushTurns.Place(row).notification, mayBeShown: try row.bool(2),
                collapse: try row.optionalText(3), shownAs: try row.optionalText(4))
        }.sorted { $0.notification < $1.notification }
    }

    /// The device's jobs with an earlier push on the screen, each with that push's collapse id where it is not the
    /// notification's own.
    func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)] {
        try shown.all(jobs.places(device: device)) { row in
            (notification: try PushTurns.Place(row).notification, collapse: try row.optionalText(2))
        }
    }

    /// Returns how many jobs it deleted.
    /// - Parameter provider: the device's current one.
    func deleteAll(device: Int64, _ provider: Device.Provider) throws -> Int {
        try jobs.places(device: device).count { try delete($0, provider) }
    }

    /// The rows of an inbox's devices.
    private func devices(inbox: Int64) throws -> [Int64] {
        try findDevices.all({ $0.append(inbox) }, { try $0.int(0) })
    }

    // MARK: Collapse ids in a column

    private static func text(_ ids: [String]) -> String? { ids.isEmpty ? nil : ids.joined(separator: " ") }

    static func ids(_ text: String?) -> [String] { text?.split(separator: " ").map(String.init) ?? [] }
}
