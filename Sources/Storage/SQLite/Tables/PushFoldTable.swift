import GRDB
import Inbox
import Push

/// The statements that make one push of several jobs.
struct PushFoldTable {
    /// One job of a fold.
    struct Part {
        let notification: Int64
        let position: QueuePlace
        let expiry: Timestamp
        let failures: Int
        /// The collapse id with which it leaves, where that is not the notification's own.
        let collapse: String?
        /// As in ``PushJobRow``.
        let isShown: Bool
        let shownAs: String?

        /// The collapse id under which an earlier push of it is on the screen; nil if none is.
        /// - Parameter inbox: its notification's.
        func place(inbox: Int64) -> String? { isShown ? shownAs ?? leavesAs(inbox: inbox) : nil }

        /// The collapse id with which it leaves alone.
        func leavesAs(inbox: Int64) -> String {
            collapse ?? NotificationID(inbox: inbox, sequence: notification).text
        }
    }

    private let findFoldable: DirectStatement
    private let findFold: DirectStatement
    private let pin: Statement

    init(_ db: Database) throws {
        // Left to itself, SQLite walks over all jobs of the device.
        let parts = """
            SELECT \(PushJobNumber.notification()), place, expiry, failures, collapse, is_shown, shown_as
            FROM push_job INDEXED BY push_job_fold
            WHERE fold_key = ?2 AND \(PushJobNumber.isOf())
            """
        findFoldable = try DirectStatement(
            db, sql: "\(parts) AND fold IS NULL AND is_shown <= ?4 AND place <= ?3 ORDER BY number")
        findFold = try DirectStatement(
            db, sql: "\(parts) AND fold = ?3 ORDER BY number")
        pin = try db.cachedStatement(
            sql: """
                UPDATE push_job SET fold = ?3, collapse = ?4, shown_as = nullif(?5, ?4)
                WHERE place = ?1 AND number = ?2
                """)
    }

    /// What may leave as one at `now`, in the order of the notifications.
    /// - Parameter withShown: whether that may be what is on the screen already.
    func foldable(
        device: Int64, _ provider: Device.Provider, key: String, at now: Timestamp, withShown: Bool
    ) throws -> [Part] {
        try findFoldable.all(
            { arguments in
                arguments.append(device)
                arguments.append(key)
                arguments.append(QueuePlace.last(of: provider, at: now).rawValue)
                arguments.append(withShown ? 1 : 0)
            }, Self.part)
    }

    /// What is left of a fold that was handed out before.
    func parts(device: Int64, key: String, fold: Int64) throws -> [Part] {
        try findFold.all(
            { arguments in
                arguments.append(device)
                arguments.append(key)
                arguments.append(fold)
            }, Self.part)
    }

    private static func part(_ row: StoredRow) throws -> Part {
        Part(
            notification: try row.int(0), position: QueuePlace(rawValue: try row.int(1)),
            expiry: Timestamp(milliseconds: try row.int(2)), failures: Int(try row.int(3)),
            collapse: try row.optionalText(4), isShown: try row.bool(5), shownAs: try row.optionalText(6))
    }

    /// Makes a job part of a fold for good.
    /// - Parameters:
    ///   - collapse: the fold's collapse id.
    ///   - shownAs: that under which an earlier push of it is on the screen.
    func pin(_ place: PushTurns.Place, to fold: Int64, collapse: String, shownAs: String?) throws {
        try pin.execute(arguments: [place.position.rawValue, place.number.rawValue, fold, collapse, shownAs])
    }
}
