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

    private let db: Database
    private let waiting: WaitingPushes
    private let places: QueuePlaces
    private let insert: DirectStatement
    private let walk: DirectStatement
    private let findRow: DirectStatement
    private let findNext: Statement
    private let findPutOff: Statement
    private let putOff: Statement
    private let giveUp: Statement
    private let delete: DirectStatement
    private let deleteAtPlace: DirectStatement
    private let deleteAcknowledged: Statement
    private let deleteDevice: Statement
    private let findDropped: Statement
    private let findShown: Statement
    private let findBadge: Statement
    private let gather: Statement
    private let clearContent: DirectStatement
    private let findNumbers: Statement
    private let move: Statement

    init(_ db: Database, _ waiting: WaitingPushes, _ places: QueuePlaces) throws {
        self.db = db
        self.waiting = waiting
        self.places = places
        let same = "WHERE number = \(PushJobNumber.of())"
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
        deleteAtPlace = try DirectStatement(db, sql: "DELETE FROM push_job WHERE place = ? AND number = ?")
        deleteAcknowledged = try db.cachedStatement(
            sql: """
                DELETE FROM push_job WHERE number IN (
                    SELECT number FROM device CROSS JOIN push_job
                        ON number BETWEEN \(PushJobNumber.of("device.row", "1")) AND \(PushJobNumber.of("device.row", "?2"))
                    WHERE device.inbox = ?1 AND is_fallback = 1 AND (seq IS NULL OR seq <= ?2))
                RETURNING place, number, is_shown, coalesce(shown_as, collapse)
                """)
        deleteDevice = try db.cachedStatement(sql: "DELETE FROM push_job WHERE \(PushJobNumber.isOf())")
        findDropped = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), failures > 0 OR is_shown = 1, collapse, shown_as FROM push_job
                WHERE number BETWEEN \(PushJobNumber.of()) AND \(PushJobNumber.of("?1", "?3"))
                """)
        findShown = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), coalesce(shown_as, collapse) FROM push_job
                WHERE \(PushJobNumber.isOf()) AND is_shown = 1
                """)
        findBadge = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), withdrawn FROM push_job
                WHERE \(PushJobNumber.isOf()) AND number < \(PushJobNumber.of("?1", "0"))
                """)
        gather = try db.cachedStatement(sql: "UPDATE push_job SET withdrawn = ?3 \(same)")
        clearContent = try DirectStatement(
            db,
            sql: """
                UPDATE push_job SET content = NULL WHERE content IS NOT NULL AND number IN (
                    SELECT \(PushJobNumber.of("device.row", "?2")) FROM device WHERE device.inbox = ?1)
                """)
        findNumbers = try db.cachedStatement(
            sql: "SELECT place, number FROM push_job WHERE \(PushJobNumber.isOf()) ORDER BY place")
        move = try db.cachedStatement(sql: "UPDATE push_job SET place = ?2 WHERE number = ?1")
    }

    // MARK: Queueing

    /// Tells where it stands.
    func insert(_ job: NewPushJob, provider: Device.Provider) throws -> PushTurns.Place {
        let place = PushTurns.Place(
            position: try places.next(of: provider, at: job.due), device: job.device, notification: job.notification)
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
        try findBadge.all([device]) { (place: try $0.int(0), withdrawn: Self.ids(try $0.optionalText(1))) }
    }

    func write(withdrawn: [String], device: Int64, place: Int64) throws {
        try gather.execute(arguments: [device, place, Self.text(withdrawn)])
    }

    /// A notification does not say any more what it said when it came: what waits of it asks it when it leaves.
    func clearContent(inbox: Int64, notification: Int64) throws {
        try clearContent.execute { arguments in
            arguments.append(inbox)
            arguments.append(notification)
        }
    }

    /// The device is reached through another provider from now on; returns where its waiting jobs stand.
    func move(
        device: Int64, from earlier: Device.Provider, to provider: Device.Provider
    ) throws -> [PushTurns.Place] {
        // One by one: the next place is behind those that are taken.
        let moved = try findNumbers.all([device], PushTurns.Place.init).map { place in
            let position = try places.next(of: provider, at: place.availableAt)
            try move.execute(arguments: [place.number.rawValue, position.rawValue])
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
        try walk.all(
            { arguments in
                arguments.append((place?.next ?? QueuePlace.all(of: provider).lowerBound).rawValue)
                arguments.append(QueuePlace.last(of: provider, at: now).rawValue)
                arguments.append(limit)
            }, Walked.init)
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

    /// The notifications of jobs that were put off after a failure, by device; not those that are kept back by now because
    /// their owner is not to be disturbed, which hold up nothing. Reads the whole queue of the provider.
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
        let position = try places.next(of: provider, at: due)
        try putOff.execute(arguments: [device, notification, position.rawValue, failures])
        guard db.changesCount > 0 else { return nil }
        return PushTurns.Place(position: position, device: device, notification: notification)
    }

    /// Takes a job out of the queue; tells whether it was still there.
    /// - Parameter provider: as above.
    func delete(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool {
        try delete.execute { arguments in
            arguments.append(device)
            arguments.append(notification)
        }
        return left(delete, provider)
    }

    /// As above, of a job that most probably stands there still.
    func delete(at place: PushTurns.Place, _ provider: Device.Provider) throws -> Bool {
        try deleteAtPlace.execute { arguments in
            arguments.append(place.position.rawValue)
            arguments.append(place.number.rawValue)
        }
        return try left(deleteAtPlace, provider)
            || delete(device: place.device, notification: place.notification, provider)
    }

    private func left(_ statement: DirectStatement, _ provider: Device.Provider) -> Bool {
        let deleted = statement.changedRows
        waiting.changed(by: -deleted, of: provider)
        return deleted > 0
    }

    /// Takes a job out of the queue whose push will not be shown.
    /// - Parameter provider: as above.
    /// - Returns: the mark of what its device shows, as of an earlier push; nil if that is nothing.
    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> PushMark? {
        let given = try giveUp.all([device, notification]) { row in
            try row.bool(0)
                ? PushMark(notification: notification, provider: provider, collapse: row.optionalText(1)) : nil
        }
        waiting.changed(by: -given.count, of: provider)
        return given.first ?? nil
    }

    // MARK: Cancelling

    /// Cancels what an acknowledgement covers, and tells what that was.
    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws -> [Acknowledged] {
        let deleted = try deleteAcknowledged.all([inbox, seq]) { row in
            guard let provider = QueuePlace(rawValue: try row.int(0)).provider else {
                throw DamagedRow(table: "push_job")
            }
            let number = PushJobNumber(rawValue: try row.int(1))
            return Acknowledged(
                provider: provider, device: number.device, notification: number.notification,
                isShown: try row.bool(2), place: try row.optionalText(3))
        }
        for job in deleted { waiting.changed(by: -1, of: job.provider) }
        return deleted
    }

    /// The device's jobs about notifications between two numbers, both included.
    func rows(device: Int64, from first: Int64, to last: Int64) throws -> [Dropped] {
        try findDropped.all([device, first, last]) { row in
            Dropped(
                notification: try row.int(0), mayBeShown: try row.bool(1), collapse: try row.optionalText(2),
                shownAs: try row.optionalText(3))
        }
    }

    /// The device's jobs of which an earlier push is on the screen, and the collapse id under which it is, where that is not
    /// the notification's own.
    func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)] {
        try findShown.all([device]) { (notification: try $0.int(0), collapse: try $0.optionalText(1)) }
    }

    /// Tells how many went.
    /// - Parameter provider: the device's of the moment.
    func deleteAll(device: Int64, _ provider: Device.Provider) throws -> Int {
        try deleteDevice.execute(arguments: [device])
        waiting.changed(by: -db.changesCount, of: provider)
        return db.changesCount
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
