import GRDB
import Inbox

/// One row of `inbox`.
struct InboxRecord: Sendable {
    let id: Int64
    var state: InboxState
    /// How many devices the user has.
    var devices: Int64
    /// Nil for somebody of whom nothing is known.
    var person: Person?

    init(id: Int64, epoch: String) { (self.id, state, devices) = (id, InboxState(epoch: epoch), 0) }

    /// Finds the inbox of a user, whose id is the query's argument.
    static let query =
        "SELECT id, epoch, seq, unread, unseen, total, devices, settings, profile FROM inbox WHERE user = ?"

    /// - Parameter row: of the ``query``.
    init(_ row: StoredRow) throws {
        id = try row.int(0)
        state = InboxState(
            epoch: try row.text(1), seq: try row.int(2), unread: try row.int(3), unseen: try row.int(4),
            total: try row.int(5))
        devices = try row.int(6)
        person = try Person(settings: row.optionalText(7), profile: row.optionalText(8))
    }
}

struct InboxTable {
    private let find: Statement
    private let findUser: Statement
    private let insert: Statement
    private let update: Statement

    init(_ db: Database) throws {
        find = try db.cachedStatement(sql: InboxRecord.query)
        findUser = try db.cachedStatement(sql: "SELECT user FROM inbox WHERE id = ?")
        insert = try db.cachedStatement(
            sql: """
                INSERT INTO inbox (user, epoch, seq, unread, unseen, total, devices) VALUES (?, ?, 0, 0, 0, 0, 0)
                RETURNING id
                """)
        update = try db.cachedStatement(
            sql: "UPDATE inbox SET seq = ?, unread = ?, unseen = ?, total = ?, devices = ? WHERE id = ?")
    }

    func record(of user: UserID) throws -> InboxRecord? { try find.first([user.rawValue], InboxRecord.init) }

    func user(ofInbox id: Int64) throws -> UserID {
        let user = try findUser.first([id]) { UserID(rawValue: try $0.text(0)) } ?? nil
        guard let user else { throw DamagedRow(table: "inbox") }
        return user
    }

    func create(for user: UserID, epoch: String) throws -> InboxRecord {
        guard let id = try insert.first([user.rawValue, epoch], { try $0.int(0) }) else {
            throw DamagedRow(table: "inbox")
        }
        return InboxRecord(id: id, epoch: epoch)
    }

    func write(_ record: InboxRecord) throws {
        let state = record.state
        try update.execute(
            arguments: [state.seq, state.unread, state.unseen, state.total, record.devices, record.id])
    }
}
