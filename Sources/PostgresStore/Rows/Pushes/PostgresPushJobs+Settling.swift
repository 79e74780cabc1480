import Deliveries
import Inbox
import Postgres
import Push

/// Jobs that leave the queue, or its front.
extension PostgresPushJobs {
    private static let puttingOff = PostgresStatement(
        composed: """
            \(QueuePlace.free)
            UPDATE push_job SET provider = $1, due = place.due, turn = place.turn, failures = $5, held_from = NULL
            FROM place WHERE push_job.device = $3 AND push_job.notification = $4
            RETURNING push_job.due, push_job.turn
            """)

    func putOff(
        device: Int64, notification: Int64, _ provider: Device.Provider, to due: Timestamp, failures: Int
    ) throws -> PushTurns.Place? {
        try written.run(
            Self.puttingOff,
            [
                provider.column, QueuePlace.moment(of: due, provider), .int64(device), .int64(notification),
                .int64(Int64(failures)),
            ]
        ).first.map { row in
            PushTurns.Place(
                position: QueuePlace(of: provider, due: try row.int64(0), turn: try row.int64(1)), device: device,
                notification: notification)
        }
    }

    func delete(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool {
        try written.run(
            "DELETE FROM push_job WHERE device = $1 AND notification = $2", [.int64(device), .int64(notification)]
        ).changedRows > 0
    }

    func delete(_ places: [PushTurns.Place], _ provider: Device.Provider) throws -> [Bool] {
        var isDeleted = [Bool](repeating: false, count: places.count)
        if places.isEmpty { return isDeleted }
        let deleted = try written.run(
            """
            DELETE FROM push_job
            USING unnest($1, $2, $3, $4) WITH ORDINALITY AS place (device, notification, due, turn, number)
            WHERE push_job.device = place.device AND push_job.notification = place.notification
                AND push_job.due = place.due AND push_job.turn = place.turn
            RETURNING place.number
            """,
            [
                .int64s(places.map(\.device)), .int64s(places.map(\.notification)),
                .int64s(places.map(\.availableAt.milliseconds)), .int64s(places.map(\.position.turn)),
            ])
        for row in deleted { isDeleted[Int(try row.int64(0)) - 1] = true }
        return isDeleted
    }

    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> PushMark? {
        let given = try written.run(
            """
            DELETE FROM push_job WHERE device = $1 AND notification = $2
            RETURNING is_shown, coalesce(shown_as, collapse)
            """, [.int64(device), .int64(notification)])
        guard let row = given.first, try row.bool(0) else { return nil }
        return PushMark(notification: notification, provider: provider, collapse: try row.textOrNil(1))
    }

    // MARK: Cancelling

    /// Looks up which inboxes have pushes that an acknowledgement may cancel: mostly none.
    func findWaiting(inboxes: [Int64]) throws {
        if inboxes.isEmpty { return }
        for inbox in inboxes { rows.facts.keep(hasWaiting: false, inbox: inbox) }
        let found = try written.run(
            """
            SELECT DISTINCT device.inbox FROM device JOIN push_job ON push_job.device = device.row
            WHERE device.inbox = ANY($1) AND push_job.is_fallback
            """, [.int64s(inboxes)])
        for row in found { rows.facts.keep(hasWaiting: true, inbox: try row.int64(0)) }
    }

    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws -> [AcknowledgedPush] {
        if rows.facts.hasWaiting(inbox: inbox) == false { return [] }
        return try written.run(
            """
            WITH gone AS (
                DELETE FROM push_job USING device
                WHERE device.inbox = $1 AND push_job.device = device.row AND push_job.is_fallback
                    AND push_job.notification BETWEEN 1 AND $2 AND coalesce(push_job.seq, 0) <= $2
                    AND push_job.provider = ANY ($3)
                RETURNING device.app, device.id, push_job.*
            )
            SELECT provider, device, notification, is_shown, coalesce(shown_as, collapse) FROM gone
            ORDER BY app, id, due, turn
            """, [.int64(inbox), .int64(seq), .int64s(rows.providers.map { Int64($0.place) })]
        ).compactMap { row in
            guard let provider = rows.providers[place: Int(try row.int64(0))] else { return nil }
            return AcknowledgedPush(
                provider: provider, device: try row.int64(1), notification: try row.int64(2),
                isShown: try row.bool(3), place: try row.textOrNil(4))
        }
    }

    func rows(device: Int64, of notifications: Set<Int64>, from first: Int64, to last: Int64) throws -> [DroppedPush] {
        try written.run(
            """
            SELECT notification, failures > 0 OR is_shown, collapse, shown_as FROM push_job
            WHERE device = $1 AND notification = ANY ($2) ORDER BY notification
            """, [.int64(device), .int64s(Array(notifications))]
        ).map { row in
            DroppedPush(
                notification: try row.int64(0), mayBeShown: try row.bool(1), collapse: try row.textOrNil(2),
                shownAs: try row.textOrNil(3))
        }
    }

    func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)] {
        try written.run(
            """
            SELECT notification, coalesce(shown_as, collapse) FROM push_job
            WHERE device = $1 AND is_shown ORDER BY due, turn
            """, [.int64(device)]
        ).map { (notification: try $0.int64(0), collapse: try $0.textOrNil(1)) }
    }

    func deleteAll(device: Int64, _ provider: Device.Provider) throws -> Int {
        try written.run("DELETE FROM push_job WHERE device = $1", [.int64(device)]).changedRows
    }
}
