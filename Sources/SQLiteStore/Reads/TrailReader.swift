import Deliveries
import GRDB
import Inbox
import Push
import Store

/// Reads the trail, as of the snapshot that `db` is in.
struct TrailReader: TrailReads {
    let db: Database
    private let jobs: PushJobIndex
    private let providers: ProviderList
    let damage: DamageWatch
    private let findUser: Statement
    private let findInbox: Statement
    private let findState: Statement
    private let findSteps: Statement
    private let findDevices: Statement
    private let findWaiting: Statement
    private let findMarks: Statement

    /// - Parameters:
    ///   - jobs: may be ahead of the snapshot, or hold changes that will be undone.
    ///   - damage: hears of rows that cannot be read.
    init(_ db: Database, _ jobs: PushJobIndex, _ providers: ProviderList, _ damage: DamageWatch) throws {
        (self.db, self.jobs, self.providers, self.damage) = (db, jobs, providers, damage)
        findUser = try db.statement(sql: "SELECT user FROM inbox WHERE id = ?")
        findInbox = try db.statement(sql: "SELECT id FROM inbox WHERE user = ?")
        findState = try db.statement(
            sql: "SELECT is_read, is_seen FROM notification WHERE inbox = ? AND id = ?")
        findSteps = try db.statement(
            sql: """
                SELECT number, at, kind, detail, place, provider, device FROM trail_step
                WHERE inbox = ? AND notification = ? AND at >= ? ORDER BY number
                """)
        findDevices = try db.statement(sql: "SELECT row, id FROM device WHERE inbox = ?")
        findWaiting = try db.statement(sql: "SELECT 1 FROM push_job WHERE place = ? AND number = ?")
        findMarks = try db.statement(
            sql: """
                SELECT device.row, marks, device.id FROM device CROSS JOIN push_mark ON push_mark.device = device.row
                WHERE device.inbox = ?
                """)
    }

    // MARK: Recipients

    func inbox(of user: UserID) throws -> Int64? { try findInbox.first([user.key]) { try $0.int(0) } }

    func times(of notification: NotificationID) throws -> StoredTimes? {
        let find = try db.statement(
            sql: """
                SELECT \(NotificationTable.storingTime), created_at, rev, place <> id FROM notification
                WHERE inbox = ? AND id = ?
                """)
        return try find.first([notification.inbox, notification.sequence]) { row in
            var row = CheckedRow(row)
            return StoredTimes(
                storedAt: row.time(0), createdAt: row.time(1), rev: row.count(2), isRaised: row.flag(3))
        }
    }

    func steps(of notification: NotificationID, since start: Timestamp) throws -> [TrailedRecipient.Step] {
        try findSteps.sound(
            [notification.inbox, notification.sequence, start.milliseconds], of: RowNaming(table: "trail_step"),
            damage, steps
        ).flatMap(\.self)
    }

    func waiting(_ id: NotificationID) throws -> [TrailedRecipient.Waiting] {
        guard PushJobNumber.notifications.contains(id.sequence) else { return [] }
        return try findDevices.sound([id.inbox], of: RowNaming(table: "device"), damage) { row in
            guard let place = jobs.place(device: try row.int(0), notification: id.sequence), try isThere(place) else {
                return nil
            }
            guard let provider = providers[place: place.position.provider] else {
                throw DamagedRow(table: "push_job", key: "\(place.position.rawValue)")
            }
            return TrailedRecipient.Waiting(provider: provider, device: try row.text(1), due: place.availableAt)
        }.compactMap(\.self)
    }

    /// Whether the snapshot has the job at this place. A job that has moved, or is about to, counts as gone, as its
    /// earlier place is unknown.
    private func isThere(_ place: PushTurns.Place) throws -> Bool {
        try findWaiting.first(
            { arguments in
                arguments.append(place.position.rawValue)
                arguments.append(place.number.rawValue)
            }, { _ in true }) ?? false
    }

    func sent(_ id: NotificationID) throws -> [TrailedRecipient.Step] {
        try findMarks.sound([id.inbox], of: RowNaming(table: "push_mark"), damage) { row in
            guard let marks = try PushMarkTable.marks(row, of: providers, column: 1) else { throw DamagedColumn() }
            guard let mark = marks.first(where: { $0.notification == id.sequence }), let time = mark.sentAt else {
                return nil
            }
            return TrailedRecipient.Step(at: time, step: .sent, provider: mark.provider, device: try row.text(2))
        }.compactMap(\.self)
    }

    func user(ofInbox inbox: Int64) throws -> UserID? {
        try damage.sound(DamagedRow(table: "inbox", key: "\(inbox)")) {
            try findUser.first([inbox]) { try UserID(stored: $0.text(0)) }
        } ?? nil
    }

    func state(of id: NotificationID) throws -> TrailedRecipient.State {
        try findState.first([id.inbox, id.sequence]) { row in
            var row = CheckedRow(row)
            return row.flag(0) ? .read : row.flag(1) ? .seen : .unseen
        } ?? .gone
    }

    /// The steps of one row of `trail_step`. A withdrawn push may have been accepted without a row of its own.
    private func steps(_ row: StoredRow) throws -> [TrailedRecipient.Step] {
        let columns = TrailStep.Columns(
            kind: try row.text(2), detail: try row.optionalText(3), place: try row.optionalInt(4))
        guard let step = TrailStep(columns) else { throw DamagedRow(table: "trail_step", key: row.name) }
        let provider = try row.optionalText(5).flatMap { providers[name: $0] }
        let device = try row.optionalText(6)
        let told = TrailedRecipient.Step(
            at: Timestamp(milliseconds: try row.int(1)), step: step, provider: provider, device: device)
        guard case .withdrawn = step, let sentAt = columns.place else { return [told] }
        let sent = TrailedRecipient.Step(
            at: Timestamp(milliseconds: sentAt), step: .sent, provider: provider, device: device)
        return [sent, told]
    }
}
