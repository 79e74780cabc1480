import Deliveries
import Inbox
import Postgres

/// Rows that one transaction has added and changed, and not written yet: a statement writes all of a table.
///
/// Nobody may read a table whose rows are gathered here before they are written.
final class GatheredRows {
    private var notifications: [NewNotification] = []
    private var grown: [NotificationID: GrownNotification] = [:]
    private var changes: [(change: LoggedChange.Columns, stamp: ChangeStamp, inbox: Int64)] = []
    /// Up to which `seq` an inbox's changes go.
    private var trims: [Int64: Int64] = [:]
    private var inboxes: [Int64: InboxRecord] = [:]
    private let connection: PostgresConnection

    private struct GrownNotification {
        let record: NotificationRecord
        let group: Int64?
        /// Its new place, and from when it ages; nil if it stays where it is.
        var raised: (place: Int64, at: Timestamp)?
    }

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// Writes everything; to be called before the commit.
    func write() throws {
        try writeNotifications()
        try writeInboxes()
        try writeChanges()
    }

    // MARK: Inboxes

    func add(_ record: InboxRecord) { inboxes[record.id] = record }

    func writeInboxes() throws {
        guard !inboxes.isEmpty else { return }
        // Their rows are locked by now, so the order does not matter.
        let records = Array(inboxes.values)
        inboxes.removeAll()
        try connection.queue(
            """
            UPDATE inbox SET seq = new.seq, unread = new.unread, unseen = new.unseen, total = new.total,
                devices = new.devices
            FROM unnest($1, $2, $3, $4, $5, $6) AS new (id, seq, unread, unseen, total, devices)
            WHERE inbox.id = new.id
            """,
            [
                .int64s(records.map(\.id)), .int64s(records.map(\.state.seq)), .int64s(records.map(\.state.unread)),
                .int64s(records.map(\.state.unseen)), .int64s(records.map(\.state.total)),
                .int64s(records.map(\.devices)),
            ])
    }

    // MARK: Notifications

    func add(_ new: NewNotification) { notifications.append(new) }

    /// Gathers a notification's new content, `rev`, `seq`, and how much of it was seen.
    func grow(_ record: NotificationRecord, group: Int64?, inbox: Int64) {
        let id = NotificationID(inbox: inbox, sequence: record.id)
        grown[id] = GrownNotification(record: record, group: group, raised: grown[id]?.raised)
    }

    /// Gathers a grown notification's new place.
    /// - Returns: whether its growth is gathered here.
    func raise(_ record: NotificationRecord, inbox: Int64, at now: Timestamp) -> Bool {
        let id = NotificationID(inbox: inbox, sequence: record.id)
        grown[id]?.raised = (record.place, now)
        return grown[id] != nil
    }

    func writeNotifications() throws {
        if !notifications.isEmpty { try insertNotifications() }
        if !grown.isEmpty { try updateGrown() }
    }

    private func insertNotifications() throws {
        let rows = notifications
        notifications.removeAll(keepingCapacity: true)
        try connection.queue(
            """
            INSERT INTO notification (
                inbox, id, content, created_at, stored_at, rev, seq, unread_after, unseen_after, place, type_mark,
                group_mark, batch_key)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            [
                .int64s(rows.map(\.inbox)), .int64s(rows.map(\.record.id)), .int64s(rows.map(\.record.contentID)),
                .int64s(rows.map(\.record.createdAt.milliseconds)), .int64s(rows.map(\.storedAt.milliseconds)),
                .int64s(rows.map(\.record.rev)), .int64s(rows.map(\.record.seq)),
                .int64s(rows.map(\.record.unreadAfter)), .int64s(rows.map(\.record.unseenAfter)),
                .int64s(rows.map(\.record.place)), .int64s(rows.map(\.marks.type)), .int64s(rows.map(\.marks.group)),
                .byteArrays(rows.map { $0.batchKey.map { Array($0.utf8) } }),
            ])
    }

    private func updateGrown() throws {
        let rows = Array(grown)
        grown.removeAll(keepingCapacity: true)
        try connection.queue(
            """
            UPDATE notification SET content = new.content, rev = new.rev, seq = new.seq, is_seen = new.is_seen <> 0,
                fresh = new.fresh, fresh_from = new.fresh_from, group_mark = new.group_mark,
                place = coalesce(new.place, notification.place),
                stored_at = coalesce(new.stored_at, notification.stored_at)
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                AS new (inbox, id, content, rev, seq, is_seen, fresh, fresh_from, group_mark, place, stored_at)
            WHERE notification.inbox = new.inbox AND notification.id = new.id
            """,
            [
                .int64s(rows.map(\.key.inbox)), .int64s(rows.map(\.key.sequence)),
                .int64s(rows.map(\.value.record.contentID)), .int64s(rows.map(\.value.record.rev)),
                .int64s(rows.map(\.value.record.seq)), .int64s(rows.map { $0.value.record.isSeen ? 1 : 0 }),
                .int64s(rows.map(\.value.record.fresh.count)), .texts(rows.map(\.value.record.fresh.from)),
                .int64s(rows.map(\.value.group)), .int64s(rows.map { $0.value.raised?.place }),
                .int64s(rows.map { $0.value.raised?.at.milliseconds }),
            ])
    }

    // MARK: Changes

    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) {
        changes.append((change.columns, stamp, inbox))
    }

    func trim(inbox: Int64, upTo seq: Int64) { trims[inbox] = max(trims[inbox] ?? seq, seq) }

    func writeChanges() throws {
        if !changes.isEmpty { try insertChanges() }
        if trims.isEmpty { return }
        try connection.queue(
            """
            DELETE FROM change USING unnest($1, $2) AS gone (inbox, seq)
            WHERE change.inbox = gone.inbox AND change.seq <= gone.seq
            """, [.int64s(Array(trims.keys)), .int64s(Array(trims.values))])
        trims.removeAll()
    }

    private func insertChanges() throws {
        let rows = changes
        changes.removeAll(keepingCapacity: true)
        try connection.queue(
            """
            INSERT INTO change (inbox, seq, kind, reference, place, ids, unread, unseen, delta)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .int64s(rows.map(\.inbox)), .int64s(rows.map(\.stamp.seq)), .int64s(rows.map(\.change.kind)),
                .int64s(rows.map(\.change.reference)), .int64s(rows.map(\.change.place)),
                .texts(rows.map(\.change.ids)),
                .int64s(rows.map(\.stamp.unread)), .int64s(rows.map(\.stamp.unseen)), .int64s(rows.map(\.stamp.delta)),
            ])
    }
}
