import GRDB
import Inbox
import Push

/// The statements that keep the queue of pushes. A job's name is its device and its notification.
///
/// By reference: every push asks for it several times, and a copy would count each statement.
final class PushJobTable {
    /// Stands for a notification in the name of a badge push: while one is on its way, the next one gathers.
    static let badgePlaces: [Int64] = [-1, -2]

    /// A row that a read or a removed notification leaves behind.
    struct Dropped {
        let notification: Int64
        /// Whether its push was accepted, or tried at least: an answer can be lost.
        let mayBeShown: Bool
        /// The collapse id, where that is not the notification's own.
        let collapse: String?
        /// That under which an earlier push is on the screen, where it is another.
        let shownAs: String?
        /// Whether its push is still to be accepted.
        let isWaiting: Bool
        /// When it was accepted and through whom, where only the row says so.
        let sent: SentPush?
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
    private let insert: DirectStatement
    private let walk: DirectStatement
    private let walkOn: DirectStatement
    private let findNext: Statement
    private let findPutOff: Statement
    private let lookup: PushJobLookup
    private let putOff: Statement
    private let showAgain: Statement
    private let deleteMark: Statement
    private let deleteWaiting: DirectStatement
    private let deleteAcknowledged: Statement
    private let deleteDevice: Statement
    private let findDropped: Statement
    private let findBadge: Statement
    private let gather: Statement
    private let move: Statement

    init(_ db: Database, _ waiting: WaitingPushes) throws {
        self.db = db
        self.waiting = waiting
        let same = "WHERE number = \(PushJobNumber.of())"
        insert = try DirectStatement(
            db,
            sql: """
                INSERT INTO push_job (
                    number, provider, available_at, is_fallback, failures, expiry, fold_key, collapse, withdrawn, seq,
                    deadline, held_from
                ) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
                """)
        walk = try DirectStatement(
            db,
            sql: """
                SELECT available_at, number FROM push_job
                WHERE provider = ? AND available_at > ? AND available_at <= ? ORDER BY available_at, number LIMIT ?
                """)
        // Both in one would be a comparison of rows, and for that SQLite does not look a row's number up in an index.
        walkOn = try DirectStatement(
            db,
            sql: """
                SELECT available_at, number FROM push_job
                WHERE provider = ? AND available_at = ? AND number > ? ORDER BY number LIMIT ?
                """)
        findNext = try db.cachedStatement(
            sql: """
                SELECT available_at FROM push_job WHERE provider = ? AND available_at > ? ORDER BY available_at LIMIT 1
                """)
        findPutOff = try db.cachedStatement(
            sql: """
                SELECT number FROM push_job
                WHERE provider = ? AND available_at IS NOT NULL AND failures > 0 AND held_from IS NULL
                """)
        lookup = PushJobLookup(db)
        putOff = try db.cachedStatement(
            sql:
                "UPDATE push_job SET available_at = ?3, failures = ?4, held_from = NULL \(same) AND available_at IS NOT NULL"
        )
        showAgain = try db.cachedStatement(
            sql: """
                UPDATE push_job SET available_at = NULL, collapse = coalesce(shown_as, collapse), shown_as = NULL
                \(same) AND is_shown = 1 AND available_at IS NOT NULL
                """)
        deleteMark = try db.cachedStatement(sql: "DELETE FROM push_job \(same) AND available_at IS NULL")
        deleteWaiting = try DirectStatement(db, sql: "DELETE FROM push_job \(same) AND available_at IS NOT NULL")
        deleteAcknowledged = try db.cachedStatement(
            sql: """
                DELETE FROM push_job WHERE number IN (
                    SELECT number FROM device CROSS JOIN push_job
                        ON number BETWEEN \(PushJobNumber.of("device.row", "1")) AND \(PushJobNumber.of("device.row", "?2"))
                    WHERE device.inbox = ?1 AND is_fallback = 1 AND available_at IS NOT NULL AND (seq IS NULL OR seq <= ?2))
                RETURNING provider, number, is_shown, coalesce(shown_as, collapse)
                """)
        // Not `available_at IS NOT NULL`: SQLite 3.40 takes what a partial index is about as true in RETURNING.
        deleteDevice = try db.cachedStatement(
            sql: """
                DELETE FROM push_job WHERE \(PushJobNumber.isOf())
                RETURNING \(PushJobNumber.notification()), provider, sent_at, available_at
                """)
        findDropped = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), provider, sent_at,
                    available_at IS NULL OR failures > 0 OR is_shown = 1, collapse, shown_as, available_at IS NOT NULL
                FROM push_job
                WHERE number BETWEEN \(PushJobNumber.of()) AND \(PushJobNumber.of("?1", "?3"))
                """)
        findBadge = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), withdrawn FROM push_job
                WHERE \(PushJobNumber.isOf()) AND number < \(PushJobNumber.of("?1", "0"))
                """)
        gather = try db.cachedStatement(sql: "UPDATE push_job SET withdrawn = ?3 \(same)")
        move = try db.cachedStatement(
            sql: """
                UPDATE push_job SET provider = ?2 WHERE \(PushJobNumber.isOf()) AND available_at IS NOT NULL
                RETURNING available_at, number
                """)
    }

    // MARK: Queueing

    func insert(_ job: NewPushJob, provider: Device.Provider) throws {
        try insert.execute { arguments in
            arguments.append(PushJobNumber(device: job.device, notification: job.notification).rawValue)
            arguments.append(provider.rawValue)
            arguments.append(job.due.milliseconds)
            arguments.append(job.isFallback ? 1 : 0)
            arguments.append(job.expiry.milliseconds)
            arguments.append(job.foldKey)
            arguments.append(job.collapse)
            arguments.append(Self.text(job.withdrawn))
            arguments.append(job.seq)
            arguments.append(job.deadline?.milliseconds)
            arguments.append(job.heldFrom?.milliseconds)
        }
        waiting.changed(by: 1, of: provider)
    }

    /// The badge pushes that wait for a device or are on their way to it: at most one of each.
    func badges(device: Int64) throws -> [(place: Int64, withdrawn: [String])] {
        try findBadge.all([device]) { (place: try $0.int(0), withdrawn: Self.ids(try $0.optionalText(1))) }
    }

    func write(withdrawn: [String], device: Int64, place: Int64) throws {
        try gather.execute(arguments: [device, place, Self.text(withdrawn)])
    }

    /// The device is reached through another provider from now on; returns where its waiting jobs stand.
    func move(
        device: Int64, from earlier: Device.Provider, to provider: Device.Provider
    ) throws -> [PushTurns.Place] {
        let places = try move.all([device, provider.rawValue], Self.place)
        waiting.changed(by: -places.count, of: earlier)
        waiting.changed(by: places.count, of: provider)
        return places
    }

    // MARK: Handing out

    /// The next jobs behind `place` that are due, at most `limit`.
    func due(
        at now: Timestamp, provider: Device.Provider, after place: PushTurns.Place?, limit: Int
    ) throws -> [PushTurns.Place] {
        var places: [PushTurns.Place] = []
        if let place, place.availableAt <= now {
            places = try walkOn.all(
                { arguments in
                    arguments.append(provider.rawValue)
                    arguments.append(place.availableAt.milliseconds)
                    arguments.append(place.number.rawValue)
                    arguments.append(limit)
                }, Self.place)
        }
        guard places.count < limit else { return places }
        return try places
            + walk.all(
                { arguments in
                    arguments.append(provider.rawValue)
                    arguments.append(place?.availableAt.milliseconds ?? .min)
                    arguments.append(now.milliseconds)
                    arguments.append(limit - places.count)
                }, Self.place)
    }

    /// - Parameter row: of `available_at` and `number`.
    private static func place(_ row: StoredRow) throws -> PushTurns.Place {
        PushTurns.Place(
            availableAt: Timestamp(milliseconds: try row.int(0)), number: PushJobNumber(rawValue: try row.int(1)))
    }

    /// When the next job is due after `now`; nil without any.
    func nextDue(after now: Timestamp, provider: Device.Provider) throws -> Timestamp? {
        try findNext.first([provider.rawValue, now.milliseconds]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    /// The notifications of jobs that were put off after a failure, by device; not those that are kept back by now because
    /// their owner is not to be disturbed, which hold up nothing. Reads the whole queue of the provider.
    func putOff(provider: Device.Provider) throws -> [Int64: [Int64]] {
        let numbers = try findPutOff.all([provider.rawValue]) { PushJobNumber(rawValue: try $0.int(0)) }
        return Dictionary(grouping: numbers, by: \.device).mapValues { $0.map(\.notification) }
    }

    /// As in ``PushJobLookup``.
    func records(_ wanted: [PushJobLookup.Wanted]) throws -> [PushJobRecord] { try lookup.records(wanted) }

    // MARK: Settling

    /// Whether the job was still there.
    func putOff(device: Int64, notification: Int64, to due: Timestamp, failures: Int) throws -> Bool {
        try putOff.execute(arguments: [device, notification, due.milliseconds, failures])
        return db.changesCount > 0
    }

    /// Takes a job out of the queue; a mark of what is shown stays.
    /// - Parameter provider: the device's of the moment, and so that of all of its jobs.
    func deleteWaiting(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        try deleteWaiting.execute { arguments in
            arguments.append(device)
            arguments.append(notification)
        }
        waiting.changed(by: -deleteWaiting.changedRows, of: provider)
    }

    /// Takes a job out of the queue whose push will not be shown; what its device shows, as of an earlier push, stays marked.
    /// - Parameter provider: as above.
    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        try showAgain.execute(arguments: [device, notification])
        waiting.changed(by: -db.changesCount, of: provider)
        try deleteWaiting(device: device, notification: notification, provider)
    }

    // MARK: Cancelling

    /// Cancels what an acknowledgement covers, and tells what that was.
    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws -> [Acknowledged] {
        let deleted = try deleteAcknowledged.all([inbox, seq]) { row in
            guard let provider = Device.Provider(rawValue: try row.text(0)) else {
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

    /// Deletes what ``rows(device:from:to:)`` has told.
    /// - Parameter provider: the device's of the moment.
    func delete(_ row: Dropped, device: Int64, _ provider: Device.Provider) throws {
        if row.isWaiting {
            try deleteWaiting(device: device, notification: row.notification, provider)
        } else {
            try deleteMark.execute(arguments: [device, row.notification])
        }
    }

    /// The device's jobs and marks of notifications between two numbers, both included.
    func rows(device: Int64, from first: Int64, to last: Int64) throws -> [Dropped] {
        try findDropped.all([device, first, last]) { row in
            Dropped(
                notification: try row.int(0), mayBeShown: try row.bool(3), collapse: try row.optionalText(4),
                shownAs: try row.optionalText(5), isWaiting: try row.bool(6), sent: try SentPush(row))
        }
    }

    /// - Parameter provider: the device's of the moment.
    /// - Returns: what is to be told of its marks elsewhere from now on.
    func deleteAll(device: Int64, _ provider: Device.Provider) throws -> [SentPush] {
        let deleted = try deleteDevice.all([device]) {
            (sent: try SentPush($0), isWaiting: try $0.optionalInt(3) != nil)
        }
        waiting.changed(by: -deleted.count(where: \.isWaiting), of: provider)
        return deleted.compactMap(\.sent)
    }

    // MARK: Collapse ids in a column

    private static func text(_ ids: [String]) -> String? { ids.isEmpty ? nil : ids.joined(separator: " ") }

    static func ids(_ text: String?) -> [String] { text?.split(separator: " ").map(String.init) ?? [] }
}
