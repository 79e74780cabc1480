import Deliveries
import GRDB
import Inbox
import Push

/// The statements that make one push of several jobs.
final class PushFoldTable: PushFoldRows {
    private let findFoldable: Statement
    private let findFold: Statement
    private let pin: Statement

    init(_ db: Database) throws {
        // Without INDEXED BY, SQLite walks over all jobs of the device.
        let parts = """
            SELECT \(PushJobNumber.notification()), place, expiry, failures, collapse, is_shown, shown_as
            FROM push_job INDEXED BY push_job_fold
            WHERE fold_key = ?2 AND \(PushJobNumber.isOf())
            """
        findFoldable = try Statement(
            db, sql: "\(parts) AND fold IS NULL AND is_shown <= ?4 AND place <= ?3 ORDER BY number")
        findFold = try Statement(
            db, sql: "\(parts) AND fold = ?3 ORDER BY number")
        pin = try db.statement(
            sql: """
                UPDATE push_job SET fold = ?3, collapse = ?4, shown_as = nullif(?5, ?4)
                WHERE place = ?1 AND number = ?2
                """)
    }

    /// The parts that may leave as one at `now`, in the order of the notifications.
    /// - Parameter withShown: whether parts that are on the screen already are included.
    func foldable(
        device: Int64, _ provider: Device.Provider, key: String, at now: Timestamp, withShown: Bool
    ) throws -> [FoldPart] {
        try findFoldable.all(
            { arguments in
                arguments.append(device)
                arguments.append(key)
                arguments.append(QueuePlace.last(of: provider, at: now).rawValue)
                arguments.append(withShown ? 1 : 0)
            }, Self.part)
    }

    /// The remaining parts of a fold that was handed out before.
    func parts(device: Int64, key: String, fold: Int64) throws -> [FoldPart] {
        try findFold.all(
            { arguments in
                arguments.append(device)
                arguments.append(key)
                arguments.append(fold)
            }, Self.part)
    }

    /// Damage in a part is reported when the job's own row is read.
    private static func part(_ row: StoredRow) throws -> FoldPart {
        let position = QueuePlace(rawValue: try row.int(1))
        var row = CheckedRow(row)
        return FoldPart(
            notification: row.count(0), position: position, expiry: row.time(2),
            failures: Int(min(row.count(3), 1_000)), collapse: row.optionalText(4), isShown: row.flag(5),
            shownAs: row.optionalText(6))
    }

    /// Makes a job part of a fold for good.
    /// - Parameters:
    ///   - collapse: the fold's collapse id.
    ///   - shownAs: the collapse id under which an earlier push of the job is on the screen.
    func pin(_ place: PushTurns.Place, to fold: Int64, collapse: String, shownAs: String?) throws {
        try pin.execute(arguments: [place.position.rawValue, place.number.rawValue, fold, collapse, shownAs])
    }
}
