import Deliveries
import GRDB
import Inbox
import Store

/// The rows of one transaction in SQLite: the writer's tables, and what was added and is not written yet.
final class SQLiteRows: StoreRows {
    private let db: Database
    private let tables: WriterTables
    private let newRows: NewRows
    let turns: PushTurnsInMemory

    /// - Parameter turns: of the writer, which takes them out again.
    convenience init(_ db: Database, _ tables: WriterTables, _ turns: consuming PushMemory) {
        self.init(db, tables, tables.newRows, PushTurnsInMemory(turns, tables.pushJobs))
    }

    /// The rows of a rehearsal.
    /// - Parameter newRows: empty.
    convenience init(_ db: Database, _ tables: WriterTables, rehearsing newRows: NewRows) {
        self.init(db, tables, newRows, PushTurnsInMemory(.empty, nil))
    }

    private init(_ db: Database, _ tables: WriterTables, _ newRows: NewRows, _ turns: PushTurnsInMemory) {
        (self.db, self.tables, self.newRows, self.turns) = (db, tables, newRows, turns)
        // Rows of an undone transaction would be written with those of this one.
        precondition(self.newRows.isEmpty)
    }

    var inboxes: any InboxRows { self }
    /// Includes all rows added so far.
    var notifications: any NotificationRows {
        get throws {
            try newRows.writeNotifications()
            return tables.notifications
        }
    }
    var contents: any ContentRows { newRows }
    var pushOnly: any PushOnlyRows { tables.pushOnly }
    var changes: any ChangeRows { tables.changes }
    var keys: any KeyRows { tables.keys }
    var devices: any DeviceRows { tables.devices }
    var pushJobs: any PushJobRows { tables.pushJobs }
    var pushTurns: any PushTurnRows { turns }
    var pushFolds: any PushFoldRows { tables.pushFolds }
    var pushHolds: any PushHoldRows { tables.pushHolds }
    var pushRenewals: any PushRenewalRows { tables.pushRenewals }
    var pushMarks: any PushMarkRows { tables.pushMarks }
    var pushPaces: any PushPaceRows { tables.pushPaces }
    var feeds: any FeedRows { tables.feeds }
    var feedChanges: any FeedChangeRows { tables.feedChanges }
    var feedMarks: any FeedMarkRows { tables.feedMarks }
    var webhooks: any WebhookRows { tables.webhooks }
    var questions: any QuestionRows { tables.questions }
    var activities: any ActivityRows { tables.activities }
    var revocations: any RevocationRows { tables.revocations }
    var topics: any TopicRows { tables.topics }
    var broadcasts: any BroadcastRows { tables.broadcasts }
    /// Includes all rows added so far, which may have to be erased, and all uses of contents, which are asked for.
    var erasures: any ErasureRows {
        get throws {
            try newRows.write()
            return tables.erasures
        }
    }
    var trail: any TrailRows { tables.trail }

    var fetchesTogether: Bool { false }
    func expect(_ facts: ExpectedFacts) {}

    func flush() throws { try newRows.write() }

    func tryWriting() throws { try db.execute(sql: "PRAGMA user_version = 0") }

    func write(_ reading: ClockReading) throws { try ClockTable.write(reading, db) }
}

extension SQLiteRows: InboxRows {
    func record(of user: UserID) throws -> InboxRecord? {
        guard let record = try tables.inboxes.record(of: user) else { return nil }
        // An inbox's newest notification tells its counts, so it must be written first.
        guard try newRows.writeNotification(ofInbox: record.id) else { return record }
        return try tables.inboxes.record(of: user)
    }

    func user(ofInbox id: Int64) throws -> UserID? { try tables.inboxes.user(ofInbox: id) }
    func lastID() throws -> Int64 { try tables.inboxes.lastID() }
    func count(of app: AppName) throws -> Int64 { try tables.inboxes.count(of: app) }
    func users(
        of app: AppName, after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID?)] {
        try tables.inboxes.users(of: app, after: id, upTo: last, unknownTo: broadcast, limit: limit)
    }

    func create(for user: UserID, epoch: String) throws -> InboxRecord {
        try tables.inboxes.create(for: user, epoch: epoch)
    }
    func write(_ record: InboxRecord) throws { try tables.inboxes.write(record) }
    func write(_ profile: UserProfile, inbox: Int64) throws { try tables.inboxes.write(profile, inbox: inbox) }
    func write(_ settings: UserSettings, inbox: Int64) throws { try tables.inboxes.write(settings, inbox: inbox) }
    func write(device: Reader, inbox: Int64) throws { try tables.inboxes.write(device: device, inbox: inbox) }
    func delete(inbox: Int64) throws { try tables.inboxes.delete(inbox: inbox) }
}
