import Deliveries
import Inbox
import Postgres
import Push

/// Pushes that are kept back while their owner is not to be disturbed.
final class PostgresPushHolds: PostgresPart, PushHoldRows {
    private static let find = PostgresStatement(
        composed: """
            SELECT \(PushTurns.Place.columns), held_from FROM push_job
            WHERE device = $1 AND held_from IS NOT NULL ORDER BY notification
            """)

    func held(device: Int64) throws -> [HeldPush] {
        try written.run(Self.find, [.int64(device)]).compactMap { row in
            let from = Timestamp(milliseconds: try row.int64(5))
            return try PushTurns.Place(row, rows.providers).map { HeldPush(place: $0, from: from) }
        }
    }

    private static let holding = update("held_from = coalesce(push_job.held_from, $5), expiry = $7, fold_key = $8")
    private static let moving = update("provider = $1")
    private static let shifting = update("expiry = $7")

    /// A statement that gives the job at a place another place.
    private static func update(_ change: String) -> PostgresStatement {
        PostgresStatement(
            composed: """
                \(QueuePlace.free)
                UPDATE push_job SET due = place.due, turn = place.turn, \(change) FROM place
                WHERE push_job.device = $3 AND push_job.notification = $4 AND push_job.due = $5 AND push_job.turn = $6
                RETURNING push_job.due, push_job.turn
                """)
    }

    private func values(
        _ place: PushTurns.Place, _ provider: Device.Provider, to due: Timestamp
    ) -> [PostgresValue] {
        [provider.column, QueuePlace.moment(of: due, provider)] + place.values
    }

    func hold(
        _ place: PushTurns.Place, _ provider: Device.Provider, until end: Timestamp, expiry: Timestamp, foldKey: String?
    ) throws {
        try written.queue(
            Self.holding, values(place, provider, to: end) + [.time(expiry), .utf8(foldKey)])
    }

    func move(_ place: PushTurns.Place, _ provider: Device.Provider, to due: Timestamp) throws -> PushTurns.Place {
        try move(place, provider, by: Self.moving, values(place, provider, to: due))
    }

    func shift(
        _ place: PushTurns.Place, _ provider: Device.Provider, to times: (due: Timestamp, expiry: Timestamp)
    ) throws -> PushTurns.Place {
        try move(
            place, provider, by: Self.shifting, values(place, provider, to: times.due) + [.time(times.expiry)])
    }

    private func move(
        _ place: PushTurns.Place, _ provider: Device.Provider, by statement: PostgresStatement,
        _ values: [PostgresValue]
    ) throws -> PushTurns.Place {
        // A place whose job is gone leads to none, whichever it is.
        guard let row = try written.run(statement, values).first else { return place }
        return PushTurns.Place(
            position: QueuePlace(of: provider, due: try row.int64(0), turn: try row.int64(1)), number: place.number)
    }
}
