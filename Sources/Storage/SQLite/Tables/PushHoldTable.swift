import GRDB
import Inbox
import Push

/// The statements that keep pushes back while their owner is not to be disturbed.
struct PushHoldTable {
    /// A job that is kept back.
    struct Held {
        let notification: Int64
        let position: QueuePlace
        /// When it would have left.
        let from: Timestamp
    }

    private let places: QueuePlaces
    private let hold: Statement
    private let find: Statement
    private let move: Statement

    init(_ db: Database, _ places: QueuePlaces) throws {
        self.places = places
        let same = "WHERE number = \(PushJobNumber.of())"
        hold = try db.cachedStatement(
            sql: """
                UPDATE push_job SET held_from = coalesce(held_from, ?3), place = ?4, expiry = ?5, fold_key = ?6 \(same)
                """)
        find = try db.cachedStatement(
            sql: """
                SELECT \(PushJobNumber.notification()), place, held_from FROM push_job
                WHERE \(PushJobNumber.isOf()) AND held_from IS NOT NULL
                """)
        move = try db.cachedStatement(sql: "UPDATE push_job SET place = ?3 \(same)")
    }

    /// Keeps back a job that was due.
    func hold(
        _ place: PushTurns.Place, _ provider: Device.Provider, until end: Timestamp, expiry: Timestamp, foldKey: String?
    ) throws {
        try hold.execute(
            arguments: [
                place.device, place.notification, place.availableAt.milliseconds,
                places.next(of: provider, at: end).rawValue, expiry.milliseconds, foldKey,
            ])
    }

    func held(device: Int64) throws -> [Held] {
        try find.all([device]) { row in
            Held(
                notification: try row.int(0), position: QueuePlace(rawValue: try row.int(1)),
                from: Timestamp(milliseconds: try row.int(2)))
        }
    }

    /// Tells where the job stands from now on.
    func move(
        device: Int64, notification: Int64, _ provider: Device.Provider, to due: Timestamp
    ) throws -> PushTurns.Place {
        let position = try places.next(of: provider, at: due)
        try move.execute(arguments: [device, notification, position.rawValue])
        return PushTurns.Place(position: position, device: device, notification: notification)
    }
}
