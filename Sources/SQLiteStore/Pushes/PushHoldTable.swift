import Deliveries
import GRDB
import Inbox
import Push

/// The statements that hold pushes while their owner may not be disturbed.
final class PushHoldTable: PushHoldRows {
    private let places: QueuePlaces
    private let jobs: PushJobIndex
    private let hold: Statement
    private let held: PlacedRows
    private let move: Statement
    private let shift: Statement

    init(_ db: Database, _ places: QueuePlaces, _ jobs: PushJobIndex) throws {
        (self.places, self.jobs) = (places, jobs)
        let same = "WHERE place = ?1 AND number = ?2"
        hold = try db.statement(
            sql: """
                UPDATE push_job SET held_from = coalesce(held_from, ?3), place = ?4, expiry = ?5, fold_key = ?6 \(same)
                """)
        held = PlacedRows(db, "place, number, held_from", where: "held_from IS NOT NULL")
        move = try db.statement(sql: "UPDATE push_job SET place = ?3 \(same)")
        shift = try db.statement(sql: "UPDATE push_job SET place = ?3, expiry = ?4 \(same)")
    }

    /// Holds a job that was due.
    func hold(
        _ place: PushTurns.Place, _ provider: Device.Provider, until end: Timestamp, expiry: Timestamp, foldKey: String?
    ) throws {
        let position = try places.next(of: provider, at: end)
        try hold.execute(
            arguments: [
                place.position.rawValue, place.number.rawValue, place.availableAt.milliseconds, position.rawValue,
                expiry.milliseconds, foldKey,
            ])
        jobs.move(place, to: position)
    }

    func held(device: Int64) throws -> [HeldPush] {
        try held.all(jobs.places(device: device)) { row in
            let place = try PushTurns.Place(row)
            var row = CheckedRow(row)
            return HeldPush(place: place, from: row.time(2))
        }.sorted { $0.place.number < $1.place.number }
    }

    /// Moves a held job, and returns its new place.
    func move(_ place: PushTurns.Place, _ provider: Device.Provider, to due: Timestamp) throws -> PushTurns.Place {
        let position = try places.next(of: provider, at: due)
        try move.execute(arguments: [place.position.rawValue, place.number.rawValue, position.rawValue])
        jobs.move(place, to: position)
        return PushTurns.Place(position: position, number: place.number)
    }

    /// Changes when the job leaves and when it expires, and returns its new place.
    func shift(
        _ place: PushTurns.Place, _ provider: Device.Provider, to times: (due: Timestamp, expiry: Timestamp)
    ) throws -> PushTurns.Place {
        let position = try places.next(of: provider, at: times.due)
        try shift.execute(
            arguments: [
                place.position.rawValue, place.number.rawValue, position.rawValue, times.expiry.milliseconds,
            ])
        jobs.move(place, to: position)
        return PushTurns.Place(position: position, number: place.number)
    }
}
