import Deliveries
import Inbox
import Postgres
import Push

/// A place's columns: `provider`, `due` and `turn`.
extension QueuePlace {
    /// The last turn of a moment: as many bits of a place as are one.
    private static let lastTurn = QueuePlace(rawValue: 0).lastOfMoment.rawValue

    var turn: Int64 { rawValue & Self.lastTurn }

    init(of provider: Device.Provider, due: Int64, turn: Int64) {
        self.init(rawValue: QueuePlace.all(of: provider).lowerBound.rawValue + due * (Self.lastTurn + 1) + turn)
    }

    /// The moment in which a job stands that is due at `time`: within what a place has bits for.
    static func moment(of time: Timestamp, _ provider: Device.Provider) -> PostgresValue {
        .int64(first(of: provider, at: time).availableAt.milliseconds)
    }

    /// The beginning of a statement that gives a job a place: the relation `place` has one row with `due` and `turn`.
    /// `$1` is the provider, `$2` the moment.
    ///
    /// The turn comes from a sequence, so nodes that ask at the same time get different ones without waiting. Its
    /// numbers come round again. So the place is in the first moment in which no job has as high a turn: it lies behind
    /// all others of its moment, and a full moment continues in the next one.
    static let free = """
        WITH RECURSIVE next (turn) AS (SELECT nextval('push_turn')),
        moment (due, turn, is_free) AS (
            SELECT $2::int8, next.turn, next.turn > coalesce(
                (SELECT max(job.turn) FROM push_job AS job WHERE job.provider = $1 AND job.due = $2), -1)
            FROM next
            UNION ALL
            SELECT moment.due + 1, moment.turn, moment.turn > coalesce(
                (SELECT max(job.turn) FROM push_job AS job WHERE job.provider = $1 AND job.due = moment.due + 1), -1)
            FROM moment WHERE NOT moment.is_free
        ),
        place (due, turn) AS (SELECT moment.due, moment.turn FROM moment WHERE moment.is_free)
        """
}

extension PushTurns.Place {
    /// Selects what ``init(_:_:)`` reads.
    static let columns = "push_job.provider, push_job.due, push_job.turn, push_job.device, push_job.notification"

    /// Nil for a provider that is not known.
    /// - Parameter row: begins with the ``columns``.
    init?(_ row: PostgresRow, _ providers: ProviderList) throws {
        guard let provider = providers[place: Int(try row.int64(0))] else { return nil }
        self.init(
            position: QueuePlace(of: provider, due: try row.int64(1), turn: try row.int64(2)),
            device: try row.int64(3), notification: try row.int64(4))
    }

    /// The job's name and where it stands within its provider's queue: device, notification, due, turn.
    var values: [PostgresValue] {
        [.int64(device), .int64(notification), .int64(availableAt.milliseconds), .int64(position.turn)]
    }
}

extension Device.Provider {
    /// Its column in the queue.
    var column: PostgresValue { .int64(Int64(place)) }
}
