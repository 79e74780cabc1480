import Deliveries
import Inbox
import Postgres
import Push

/// Pushes that one transaction queues, and has not written yet: a statement writes all of them.
///
/// Nobody may read `push_job` before they are written, see ``PostgresPart/written``.
final class GatheredJobs {
    /// A moment of a provider's queue.
    private struct Moment: Hashable {
        let provider: Int
        var due: Int64
    }

    private var jobs: [(job: NewPushJob, provider: Device.Provider)] = []

    var isEmpty: Bool { jobs.isEmpty }

    func add(_ job: NewPushJob, _ provider: Device.Provider) { jobs.append((job, provider)) }

    /// - Returns: where they wait.
    func write(on connection: PostgresConnection) throws -> [(place: PushTurns.Place, provider: Device.Provider)] {
        let jobs = jobs
        self.jobs.removeAll(keepingCapacity: true)
        let positions = try positions(of: jobs, connection)
        try connection.queue(
            """
            INSERT INTO push_job (
                provider, due, turn, device, notification, is_fallback, expiry, fold_key, collapse, withdrawn, seq,
                deadline, held_from, content
            )
            SELECT provider, due, turn, device, notification, is_fallback <> 0, expiry, fold_key, collapse, withdrawn,
                seq, deadline, held_from, content
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS new (
                provider, due, turn, device, notification, is_fallback, expiry, fold_key, collapse, withdrawn, seq,
                deadline, held_from, content
            )
            """,
            [
                .int64s(jobs.map { Int64($0.provider.place) }), .int64s(positions.map(\.availableAt.milliseconds)),
                .int64s(positions.map(\.turn)), .int64s(jobs.map(\.job.device)), .int64s(jobs.map(\.job.notification)),
                .int64s(jobs.map { $0.job.isFallback ? 1 : 0 }), .int64s(jobs.map(\.job.expiry.milliseconds)),
                .byteArrays(jobs.map { $0.job.foldKey.map { Array($0.utf8) } }), .texts(jobs.map(\.job.collapse)),
                .texts(jobs.map { CollapseIDs.stored($0.job.withdrawn) }), .int64s(jobs.map(\.job.seq)),
                .int64s(jobs.map { $0.job.deadline?.milliseconds }),
                .int64s(jobs.map { $0.job.heldFrom?.milliseconds }),
                .int64s(jobs.map(\.job.content)),
            ])
        return zip(jobs, positions).map { entry, position in
            let place = PushTurns.Place(
                position: position, device: entry.job.device, notification: entry.job.notification)
            return (place, entry.provider)
        }
    }

    /// As ``QueuePlace/free`` gives one a place: in the first moment in which no job has as high a turn.
    private func positions(
        of jobs: [(job: NewPushJob, provider: Device.Provider)], _ connection: PostgresConnection
    ) throws -> [QueuePlace] {
        let moments = jobs.map { job, provider in
            Moment(
                provider: provider.place,
                due: QueuePlace.first(of: provider, at: job.due).availableAt.milliseconds)
        }
        let turns = try connection.run(
            "SELECT nextval('push_turn') FROM generate_series(1, $1)", [.int64(Int64(jobs.count))])
        var last = try lastTurns(of: Set(moments), connection)
        return try zip(jobs, zip(moments, turns)).map { entry, found in
            var moment = found.0
            let turn = try found.1.int64(0)
            while true {
                if last[moment] == nil { last.merge(try lastTurns(of: [moment], connection)) { $1 } }
                if turn > last[moment] ?? -1 { break }
                moment.due += 1
            }
            last[moment] = turn
            return QueuePlace(of: entry.provider, due: moment.due, turn: turn)
        }
    }

    /// The highest turns of moments; -1 where nothing waits.
    private func lastTurns(of moments: Set<Moment>, _ connection: PostgresConnection) throws -> [Moment: Int64] {
        let moments = Array(moments)
        let rows = try connection.run(
            """
            SELECT coalesce((
                SELECT max(turn) FROM push_job WHERE push_job.provider = asked.provider AND push_job.due = asked.due
            ), -1)
            FROM unnest($1, $2) WITH ORDINALITY AS asked (provider, due, number) ORDER BY number
            """, [.int64s(moments.map { Int64($0.provider) }), .int64s(moments.map(\.due))])
        return Dictionary(uniqueKeysWithValues: zip(moments, try rows.map { try $0.int64(0) }))
    }
}
