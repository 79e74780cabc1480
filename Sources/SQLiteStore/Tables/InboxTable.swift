import Deliveries
import GRDB
import Inbox
import JSON
import Store

final class InboxTable {
    private let find: Statement
    private let findUser: Statement
    private let findRange: Statement
    private let findRangeOfApp: Statement
    private let findLast: Statement
    private let countOfApp: Statement
    private let countOfNamed: Statement
    private let insert: Statement
    private let update: Statement
    private let writeProfile: Statement
    private let writeSettings: Statement
    private let writeDevice: Statement
    private let delete: Statement
    private let raiseFloor: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        find = try Statement(db, sql: InboxRecord.query)
        findUser = try Statement(db, sql: "SELECT user FROM inbox WHERE id = ?")
        findRange = try db.statement(sql: Self.range("app IS NULL"))
        findRangeOfApp = try db.statement(sql: Self.range("app = ?5"))
        findLast = try db.statement(sql: "SELECT coalesce(max(id), 0) FROM inbox")
        countOfApp = try db.statement(sql: "SELECT count(*) FROM inbox WHERE app = ?")
        countOfNamed = try db.statement(sql: "SELECT count(*) FROM inbox WHERE app IS NOT NULL")
        // Not the highest number plus one: a client may still hold that of an erased person.
        insert = try db.statement(
            sql: """
                INSERT INTO inbox (id, user, epoch, app, seq, unread, unseen, total, devices) VALUES (
                    1 + max((SELECT coalesce(max(id), 0) FROM inbox), (SELECT id FROM inbox_floor)), ?, ?, ?, 0, 0, 0, 0, 0)
                RETURNING id
                """)
        update = try Statement(
            db, sql: "UPDATE inbox SET seq = ?, unread = ?, unseen = ?, total = ?, devices = ? WHERE id = ?")
        writeProfile = try db.statement(sql: "UPDATE inbox SET profile = ?, email = ? WHERE id = ?")
        writeSettings = try db.statement(sql: "UPDATE inbox SET settings = ? WHERE id = ?")
        writeDevice = try db.statement(sql: "UPDATE inbox SET device_locale = ?, device_zone = ? WHERE id = ?")
        delete = try db.statement(sql: "DELETE FROM inbox WHERE id = ?")
        raiseFloor = try db.statement(sql: "UPDATE inbox_floor SET id = max(id, ?)")
    }

    // MARK: Looking

    func record(of user: UserID) throws -> InboxRecord? {
        let record = try find.first({ $0.append(user.key) }, InboxRecord.init)
        if let record, record.isDamaged { damage.leaveOut(DamagedRow(table: "inbox", key: "\(record.id)")) }
        return record
    }

    /// Nil where the row is damaged or gone.
    func user(ofInbox id: Int64) throws -> UserID? {
        try damage.sound(DamagedRow(table: "inbox", key: "\(id)")) {
            try findUser.first({ $0.append(id) }, { try UserID(stored: $0.text(0)) })
        } ?? nil
    }

    /// The highest number that an inbox has; 0 without any.
    func lastID() throws -> Int64 { try findLast.first([]) { try $0.int(0) } ?? 0 }

    /// No index has the inboxes of the unnamed app: all numbers, less those of named apps, are an estimate.
    func count(of app: AppName) throws -> Int64 {
        if app.isUnnamed { return try lastID() - (countOfNamed.first([]) { try $0.int(0) } ?? 0) }
        return try countOfApp.first([app.text]) { try $0.int(0) } ?? 0
    }

    /// The app's inboxes behind `id`, up to `last`, that a broadcast does not exclude; without a user where the row is
    /// damaged.
    func users(
        of app: AppName, after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID?)] {
        func read(_ row: StoredRow) throws -> (inbox: Int64, user: UserID?) {
            let inbox = try row.int(0)
            let user = try damage.sound(DamagedRow(table: "inbox", key: "\(inbox)")) { try UserID(stored: row.text(1)) }
            return (inbox, user)
        }
        if app.isUnnamed { return try findRange.all([id, last, broadcast, limit], read) }
        return try findRangeOfApp.all([id, last, broadcast, limit, app.text], read)
    }

    private static func range(_ ofApp: String) -> String {
        """
        SELECT id, user FROM inbox WHERE id > ?1 AND id <= ?2 AND \(ofApp) AND NOT EXISTS (
            SELECT 1 FROM broadcast_known WHERE broadcast = ?3 AND inbox = inbox.id) ORDER BY id LIMIT ?4
        """
    }

    // MARK: Writing

    func create(for user: UserID, epoch: String) throws -> InboxRecord {
        guard let id = try insert.first([user.key, epoch, user.app.column], { try $0.int(0) }) else {
            throw DamagedRow(table: "inbox")
        }
        return InboxRecord(id: id, epoch: epoch)
    }

    /// Writes the counts, the number of devices among them.
    func write(_ record: InboxRecord) throws {
        let state = record.state
        try update.execute { arguments in
            arguments.append(state.seq)
            arguments.append(state.unread)
            arguments.append(state.unseen)
            arguments.append(state.total)
            arguments.append(record.devices)
            arguments.append(record.id)
        }
    }

    func write(_ profile: UserProfile, inbox: Int64) throws {
        let json = String(decoding: JSONValue.object(profile.json).encoded, as: UTF8.self)
        try writeProfile.execute(
            arguments: [json, profile.email.map(UserProfile.searchForm(ofEmail:)), inbox])
    }

    func write(_ settings: UserSettings, inbox: Int64) throws {
        try writeSettings.execute(arguments: [String(decoding: settings.json.encoded, as: UTF8.self), inbox])
    }

    /// Writes the locale and zone of the device that was registered last.
    func write(device: Reader, inbox: Int64) throws {
        try writeDevice.execute(arguments: [device.locale, device.zone, inbox])
    }

    /// Deletes an inbox; its number is never given to another.
    func delete(inbox: Int64) throws {
        try raiseFloor.execute(arguments: [inbox])
        try delete.execute(arguments: [inbox])
    }
}

extension AppName {
    /// Its text in the column `app`: NULL for the unnamed app.
    var column: String? { isUnnamed ? nil : text }
}

extension UserID {
    /// Reads a column that holds a user.
    init(stored text: String) throws {
        guard let user = UserID(key: text) else { throw DamagedRow(table: "inbox") }
        self = user
    }
}
