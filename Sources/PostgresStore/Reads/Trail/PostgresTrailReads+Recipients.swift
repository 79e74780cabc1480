import Deliveries
import Inbox
import Postgres
import Push
import Store

/// Reads what has become of notifications, and what waits.
extension PostgresTrailReads {
    func inbox(of user: UserID) throws -> Int64? {
        try connection.run(#"SELECT id FROM inbox WHERE "user" = $1"#, [.text(user.key)]).first?.int64(0)
    }

    func user(ofInbox inbox: Int64) throws -> UserID? {
        try connection.run(#"SELECT "user" FROM inbox WHERE id = $1"#, [.int64(inbox)]).first
            .flatMap { UserID(key: try $0.text(0)) }
    }

    func state(of id: NotificationID) throws -> TrailedRecipient.State {
        let found = try connection.run(
            "SELECT is_read, is_seen FROM notification WHERE inbox = $1 AND id = $2", values(id))
        guard let row = found.first else { return .gone }
        return try row.bool(0) ? .read : try row.bool(1) ? .seen : .unseen
    }

    func times(of notification: NotificationID) throws -> StoredTimes? {
        try connection.run(
            "SELECT stored_at, created_at, rev, place <> id FROM notification WHERE inbox = $1 AND id = $2",
            values(notification)
        ).first.map { row in
            StoredTimes(
                storedAt: Timestamp(milliseconds: try row.int64(0)),
                createdAt: Timestamp(milliseconds: try row.int64(1)), rev: try row.int64(2),
                isRaised: try row.bool(3))
        }
    }

    func steps(of notification: NotificationID, since start: Timestamp) throws -> [TrailedRecipient.Step] {
        try connection.run(
            """
            SELECT at, kind, detail, place, provider, device FROM trail_step
            WHERE inbox = $1 AND notification = $2 AND at >= $3 ORDER BY number
            """, values(notification) + [.int64(start.milliseconds)]
        ).flatMap { try steps($0) }
    }

    /// The steps of one row of `trail_step`. A withdrawn push may have been accepted without a row of its own.
    private func steps(_ row: PostgresRow) throws -> [TrailedRecipient.Step] {
        let columns = TrailStepColumns(
            kind: try row.text(1), detail: try row.textOrNil(2), place: try row.int64OrNil(3))
        guard let step = columns.step else { return [] }
        let provider = try row.textOrNil(4).flatMap { rows.providers[name: $0] }
        let device = try row.textOrNil(5)
        let told = TrailedRecipient.Step(
            at: Timestamp(milliseconds: try row.int64(0)), step: step, provider: provider, device: device)
        guard case .withdrawn = step, let sentAt = columns.place else { return [told] }
        let sent = TrailedRecipient.Step(
            at: Timestamp(milliseconds: sentAt), step: .sent, provider: provider, device: device)
        return [sent, told]
    }

    func waiting(_ notification: NotificationID) throws -> [TrailedRecipient.Waiting] {
        guard PushJobNumber.notifications.contains(notification.sequence) else { return [] }
        return try connection.run(
            """
            SELECT push_job.provider, device.id, due FROM device
            JOIN push_job ON push_job.device = device.row AND push_job.notification = $2
            WHERE device.inbox = $1
            """, values(notification)
        ).compactMap { row in
            guard let provider = rows.providers[place: Int(try row.int64(0))] else { return nil }
            return .init(
                provider: provider, device: try row.text(1), due: Timestamp(milliseconds: try row.int64(2)))
        }
    }

    func sent(_ notification: NotificationID) throws -> [TrailedRecipient.Step] {
        try connection.run(
            """
            SELECT marks, device.id FROM device JOIN push_mark ON push_mark.device = device.row
            WHERE device.inbox = $1
            """, [.int64(notification.inbox)]
        ).compactMap { row in
            // Marks that cannot be read tell nothing.
            let marks = [PushMark](bytes: try row.bytes(0), of: rows.providers) ?? []
            guard let mark = marks.first(where: { $0.notification == notification.sequence }), let time = mark.sentAt
            else { return nil }
            return .init(at: time, step: .sent, provider: mark.provider, device: try row.text(1))
        }
    }

    private func values(_ id: NotificationID) -> [PostgresValue] { [.int64(id.inbox), .int64(id.sequence)] }
}
