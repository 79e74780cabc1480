import GRDB
import Inbox
import Push

/// Reads what became of one person's notification.
struct TrailedRecipientReader {
    private let findUser: Statement
    private let findInbox: Statement
    private let findState: Statement
    private let findSteps: Statement
    private let findWaiting: Statement

    init(_ db: Database) throws {
        findUser = try db.cachedStatement(sql: "SELECT user FROM inbox WHERE id = ?")
        findInbox = try db.cachedStatement(sql: "SELECT id FROM inbox WHERE user = ?")
        findState = try db.cachedStatement(
            sql: "SELECT is_read, is_seen FROM notification WHERE inbox = ? AND id = ?")
        findSteps = try db.cachedStatement(
            sql: """
                SELECT at, kind, detail, place, provider, device FROM trail_step
                WHERE inbox = ? AND notification = ? AND at >= ? ORDER BY number
                """)
        findWaiting = try db.cachedStatement(
            sql: """
                SELECT push_job.provider, device.id, available_at FROM device JOIN push_job ON push_job.device = device.row
                WHERE device.inbox = ? AND notification = ? AND available_at IS NOT NULL ORDER BY available_at
                """)
    }

    func inbox(of user: UserID) throws -> Int64? { try findInbox.first([user.rawValue]) { try $0.int(0) } }

    /// - Parameter start: of steps before this nothing is told.
    func recipient(_ person: TrailedPerson, since start: Timestamp) throws -> TrailedRecipient {
        let user = try person.stranger ?? person.inbox.flatMap { try self.user(ofInbox: $0) }
        var recipient = TrailedRecipient(
            user: user, decision: person.verdict.decision, type: person.verdict.type, wasLive: person.verdict.isLive,
            notification: person.inbox.flatMap { inbox in
                person.notification.map { NotificationID(inbox: inbox, sequence: $0) }
            })
        guard let id = recipient.notification else { return recipient }
        recipient.state = try state(of: id)
        recipient.steps = try findSteps.all([id.inbox, id.sequence, start.milliseconds], TrailedRecipient.Step.init)
        recipient.waiting = try findWaiting.all([id.inbox, id.sequence], TrailedRecipient.Waiting.init)
        return recipient
    }

    private func user(ofInbox inbox: Int64) throws -> UserID? {
        try findUser.first([inbox]) { UserID(rawValue: try $0.text(0)) } ?? nil
    }

    private func state(of id: NotificationID) throws -> TrailedRecipient.State {
        try findState.first([id.inbox, id.sequence]) { row in
            try row.bool(0) ? .read : try row.bool(1) ? .seen : .unseen
        } ?? .gone
    }
}

extension TrailedRecipient.Step {
    fileprivate init(_ row: StoredRow) throws {
        let columns = TrailStep.Columns(
            kind: try row.text(1), detail: try row.optionalText(2), place: try row.optionalInt(3))
        guard let step = TrailStep(columns) else { throw DamagedRow(table: "trail_step") }
        self.init(
            at: Timestamp(milliseconds: try row.int(0)), step: step,
            provider: try row.optionalText(4).flatMap(Device.Provider.init(rawValue:)),
            device: try row.optionalText(5))
    }
}

extension TrailedRecipient.Waiting {
    fileprivate init(_ row: StoredRow) throws {
        guard let provider = Device.Provider(rawValue: try row.text(0)) else { throw DamagedRow(table: "push_job") }
        self.init(provider: provider, device: try row.text(1), due: Timestamp(milliseconds: try row.int(2)))
    }
}
