import GRDB
import Inbox
import Push

/// The statements that keep pushes back while their owner is not to be disturbed.
struct PushHoldTable {
    /// A job that is kept back.
    struct Held {
        let place: PushTurns.Place
        /// When it would have left.
        let from: Timestamp
    }

    private let places: QueuePlaces
    private let jobs: PushJobIndex
    private let hold: Statement
    private let held: PlacedRows
    private let move: Statement
    private let shift: Statement

    init(_ db: Database, _ places: QueuePlaces, _ jobs: PushJobIndex) throws {
        (self.places, self.jobs) = (places, jobs)
        let same = "WHERE place = ?1 AND number = ?2"
        hold = try db.cachedStatement(
            sql: """
                UPDATE push_job SET held_from = coalesce(held_from, ?3), place = ?4, expiry = ?5, fold_key = ?6 \(same)
                """)
        held = PlacedRows(db, "place, number, held_from", where: "held_from IS NOT NULL")
        move = try db.cachedStatement(sql: "UPDATE push_job SET place = ?3 \(same)")
        shift = try db.cachedStatement(sql: "UPDATE push_job SET place = ?3, expiry = ?4 \(same)")
    }

    /// Keeps back a job that was due.
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

    func held(device: Int64) throws -> [Held] {
        try held.all(jobs.places(device: device)) { row in
            Held(place: try PushTurns.Place(row), from: Timestamp(milliseconds: try row.int(2)))
        }.sorted { $0.place.number < $1.place.number }
    }

    /// Tells where the job stands from now on.
    func move(_ place: PushTurns.Place, _ provider: Device.Provider, to due: Timestamp) throws -> PushTurns.Place {
        let position = try places.next(of: provider, at: due)
        try move.execute(arguments: [place.position.rawValue, place.number.rawValue, position.rawValue])
        jobs.move(place, to: position)
        return PushTurns.Place(position: position, number: place.number)
    }

    /// The job leaves, and is worth sending, at other times from now on.
    func shift(
        _ place: PushTurns.Place, _ provider: Device.Provider, to times: (due: Timestamp, expiry: Timestamp)
    ) throws {
        let position = try places.next(of: provider, at: times.due)
        try shift.execute(
            arguments: [
                place.position.rawValue, place.number.rawValue, position.rawValue, times.expiry.milliseconds,
            ])
        jobs.move(place, to: position)
    }
}
