import GRDB
import Inbox
import Push

/// The statements that keep the queue of pushes. A job's name is its device and its notification.
///
/// By reference: every push asks for it several times, and a copy would count each statement.
final class PushJobTable {
    /// Stands for a notification in the name of a badge push: while one is on its way, the next one gathers.
    static let badgePlaces: [Int64] = [-1, -2]

    /// What a read or a removed notification leaves behind.
    struct Dropped {
        let notification: Int64
        /// Whether its push was accepted, or tried at least: an answer can be lost.
        let mayBeShown: Bool
        /// The collapse id, where that is not the notification's own.
        let collapse: String?
        /// That under which an earlier push is on the screen, where it is another.
        let shownAs: String?
        /// Nil as long as its push is still to be accepted.
        var mark: PushMark?
    }

    /// A job that the walk has come to.
    struct Walked {
        let place: PushTurns.Place
        /// Nil for one that there is more to than the walk asks for.
        let row: PushJobRow?

        /// - Parameter row: of ``PushJobRow/plainColumns``.
        init(_ row: StoredRow) throws { (place, self.row) = (try PushTurns.Place(row), try PushJobRow(plain: row)) }
    }

    /// A job that an acknowledgement has cancelled.
    struct Acknowledged {
        let provider: Device.Provider
        let device: Int64
        let notification: Int64
        /// Whether an earlier push of the notification is on the screen.
        let isShown: Bool
        /// The collapse id under which it is, where that is not the notification's own.
        let place: String?

        /// Whether both are about one notification's push to one device.
        func stands(for job: NewPushJob) -> Bool { (device, notification) == (job.device, job.notification) }
    }

    private let waiting: WaitingPushes
    private let places: QueuePlaces
    private let jobs: PushJobIndex
    private let insert: DirectStatement
    private let walk: DirectStatement
    private let findRow: DirectStatement
    private let findNext: Statement
    private let findPutOff: Statement
    private let putOff: Statement
    private let giveUp: Statement
    private let delete: DirectStatement
    private let findDevices: DirectStatement
    private let fallbacks: PlacedRows
    private let dropped: PlacedRows
    private let shown: PlacedRows
    private let badges: PlacedRows
    private let gather: Statement
    private let clearContent: DirectStatement
    private let move: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(
        _ db: Database, _ waiting: WaitingPushes, _ places: QueuePlaces, _ jobs: PushJobIndex, _ damage: DamageWatch
    ) throws {
        self.damage = damage
        self.waiting = waiting
        self.places = places
        self.jobs = jobs
        // Of two rows with one number, which only damage can bring, no statement may meet the one that is not meant.
        let same = "WHERE place = ?1 AND number = ?2"
        insert = try DirectStatement(
            db,
            sql: """
                INSERT INTO push_job (
                    place, number, is_fallback, failures, expiry, fold_key, collapse, withdrawn, seq, deadline, held_from,
                    content
                ) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        walk = try DirectStatement(
            db,
            sql: """
                SELECT \(PushJobRow.plainColumns) FROM push_job WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?
                """)
        findRow = try DirectStatement(
            db, sql: "SELECT \(PushJobRow.columns) FROM push_job WHERE place = ? AND number = ?")
        findNext = try db.cachedStatement(
            sql: "SELECT place FROM push_job WHERE place BETWEEN ? AND ? ORDER BY place LIMIT 1")
        findPutOff = try db.cachedStatement(
            sql: "SELECT number FROM push_job WHERE place BETWEEN ? AND ? AND failures > 0 AND held_from IS NULL")
        putOff = try db.cachedStatement(
            sql: "UPDATE push_job SET place = ?3, failures = ?4, held_from = NULL \(same)")
        giveUp = try db.cachedStatement(
            sql: "DELETE FROM push_job \(same) RETURNING is_shown, coalesce(shown_as, collapse)")
        delete = try DirectStatement(db, sql: "DELETE FROM push_job \(same)")
        findDevices = try DirectStatement(db, sql: "SELECT row FROM device WHERE inbox = ?")
        fallbacks = PlacedRows(
            db, "place, number, seq, is_shown, coalesce(shown_as, collapse)", where: "is_fallback = 1")
        dropped = PlacedRows(db, "place, number, failures > 0 OR is_shown = 1, collapse, shown_as")
        shown = PlacedRows(db, "place, number, coalesce(shown_as, collapse)", where: "is_shown = 1")
        badges = PlacedRows(db, "place, number, withdrawn")
        gather = try db.cachedStatement(sql: "UPDATE push_job SET withdrawn = ?3 \(same)")
        clearContent = try DirectStatement(
            db, sql: "UPDATE push_job SET content = NULL \(same) AND content IS NOT NULL")
        move = try db.cachedStatement(sql: "UPDATE push_job SET place = ?3 \(same)")
    }

    // MARK: Queueing

    /// Tells where it stands. None of its number may wait.
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

    /// The badge pushes that wait for a device or are on their way to it: at most one of each.
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

    /// A notification does not say any more what it said when it came: what waits of it asks it when it leaves.
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

    /// The device is reached through another provider from now on; returns where its waiting jobs stand.
    func move(
        device: Int64, from earlier: Device.Provider, to provider: Device.Provider
    ) throws -> [PushTurns.Place] {
        // One by one: the next place is behind those that are taken.
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

    /// The next jobs behind `place` that are due, at most `limit`.
    func due(
        at now: Timestamp, provider: Device.Provider, after place: QueuePlace?, limit: Int
    ) throws -> [Walked] {
        var due: [Walked] = []
        let naming = RowNaming(table: "push_job")
        try walk.forEach(
            { arguments in
                arguments.append((place?.next ?? QueuePlace.all(of: provider).lowerBound).rawValue)
                arguments.append(QueuePlace.last(of: provider, at: now).rawValue)
                arguments.append(limit)
            },
            // One whose number cannot be read is nobody's.
            { row in if let job = try damage.sound(naming.row(row), { try Walked(row) }) { due.append(job) } })
        return due
    }

    /// What a job's row says of it cannot be read.
    func leaveOut(_ place: PushTurns.Place) {
        damage.leaveOut(DamagedRow(table: "push_job", key: "\(place.position.rawValue)"))
    }

    /// The job that stands there; nil if it does not any more.
    func row(_ place: PushTurns.Place) throws -> PushJobRow? {
        try findRow.first(
            { arguments in
                arguments.append(place.position.rawValue)
                arguments.append(place.number.rawValue)
            }, PushJobRow.init)
    }

    /// When the next job is due after `now`; nil without any.
    func nextDue(after now: Timestamp, provider: Device.Provider) throws -> Timestamp? {
        let (first, last) = (QueuePlace.last(of: provider, at: now).next, QueuePlace.all(of: provider).upperBound)
        return try findNext.first([first.rawValue, last.rawValue]) {
            QueuePlace(rawValue: try $0.int(0)).availableAt
        }
    }

    /// The notifications of jobs that were put off after a failure, by device; not those that are kept back by now
    /// because their owner is not to be disturbed, which hold up nothing. Reads the whole queue of the provider.
    func putOff(provider: Device.Provider) throws -> [Int64: [Int64]] {
        let all = QueuePlace.all(of: provider)
        let numbers = try findPutOff.all([all.lowerBound.rawValue, all.upperBound.rawValue]) {
            PushJobNumber(rawValue: try $0.int(0))
        }
        return Dictionary(grouping: numbers, by: \.device).mapValues { $0.map(\.notification) }
    }

    // MARK: Settling

    /// Tells where the job stands from now on; nil if it was not there any more.
    /// - Parameter provider: the device's of the moment, and so that of all of its jobs.
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

    /// Takes a job out of the queue; tells whether it was still there.
    /// - Parameter provider: as above.
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

    /// Takes a job out of the queue whose push will not be shown.
    /// - Parameter provider: as above.
    /// - Returns: the mark of what its device shows, as of an earlier push; nil if that is nothing.
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

    /// Cancels what an acknowledgement covers, and tells what that was.
    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws -> [Acknowledged] {
        var deleted: [Acknowledged] = []
        for device in try devices(inbox: inbox) {
            let waiting: [(job: Acknowledged, place: PushTurns.Place)?] = try fallbacks.all(
                jobs.places(device: device, from: 1, to: seq)
            ) { row in
                let place = try PushTurns.Place(row)
                let isCovered = try row.optionalInt(2).map { $0 <= seq } ?? true
                guard isCovered, let provider = place.position.provider else { return nil }
                let job = Acknowledged(
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
    ///   - first: the lowest of them.
    ///   - last: the highest.
    func rows(device: Int64, of notifications: Set<Int64>, from first: Int64, to last: Int64) throws -> [Dropped] {
        let waiting = jobs.places(device: device, from: first, to: last)
            .filter { notifications.contains($0.notification) }
        return try dropped.all(waiting) { row in
            Dropped(
                notification: try PushTurns.Place(row).notification, mayBeShown: try row.bool(2),
                collapse: try row.optionalText(3), shownAs: try row.optionalText(4))
        }.sorted { $0.notification < $1.notification }
    }

    /// The device's jobs of which an earlier push is on the screen, and the collapse id under which it is, where that
    /// is not the notification's own.
    func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)] {
        try shown.all(jobs.places(device: device)) { row in
            (notification: try PushTurns.Place(row).notification, collapse: try row.optionalText(2))
        }
    }

    /// Tells how many went.
    /// - Parameter provider: the device's of the moment.
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

extension PushJobTable.Dropped {
    init(_ mark: PushMark) {
        self.init(
            notification: mark.notification, mayBeShown: true, collapse: mark.collapse, shownAs: nil, mark: mark)
    }
}
