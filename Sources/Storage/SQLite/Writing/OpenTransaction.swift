import GRDB
import Inbox
import Push

/// What the writes of one group share: the tables, the inboxes they touch, and the commit as it grows.
///
/// Lives for one transaction on the writer's queue. Counts go to the disk once an inbox and group, in ``flush()``.
final class OpenTransaction {
    let options: SQLiteStoreOptions
    let contents: ContentReader
    let notifications: NotificationTable
    let changes: ChangeTable
    let keys: KeyTable
    let devices: DeviceTable
    let pushJobs: PushJobTable
    let pushFolds: PushFoldTable
    let pushMarks: PushMarkTable
    let pushPaces: PushPaceTable
    let pushHolds: PushHoldTable
    let pushRenewals: PushRenewalTable
    let settings: SettingsTable
    let feeds: FeedTable
    let feedMarks: FeedMarkTable
    let topics: TopicTable
    let broadcasts: BroadcastTable
    let erasures: ErasureTable
    var trail = TrailRecorder()
    let trailTables: TrailTables

    private(set) var memory: WriterMemory
    private(set) var turns: PushMemory
    private(set) var commit = Commit()

    private struct TouchedInbox {
        var record: InboxRecord
        let seqBefore: Int64
    }

    private let db: Database
    private let inboxes: InboxTable
    private let contentWriter: ContentWriter
    private let contentCache: ContentCache
    private var touched: [UserID: TouchedInbox] = [:]
    /// By how much the number of notifications that show a content has changed.
    private var contentUses: [Int64: Int64] = [:]

    /// Prepares the statements, or finds them prepared: some microseconds a group, nothing a row.
    init(
        _ db: Database, options: SQLiteStoreOptions, memory: WriterMemory, turns: PushMemory, contents: ContentCache
    ) throws {
        self.db = db
        self.options = options
        self.memory = memory
        self.turns = turns
        contentCache = contents
        self.contents = try ContentReader(db, contents)
        contentWriter = try ContentWriter(db)
        inboxes = try InboxTable(db)
        notifications = try NotificationTable(db)
        changes = try ChangeTable(db, length: options.changeLogLength)
        keys = try KeyTable(db)
        devices = try DeviceTable(db)
        pushJobs = try PushJobTable(db)
        pushFolds = try PushFoldTable(db)
        pushMarks = try PushMarkTable(db)
        pushPaces = try PushPaceTable(db)
        pushHolds = try PushHoldTable(db)
        pushRenewals = try PushRenewalTable(db)
        settings = try SettingsTable(db)
        feeds = try FeedTable(db)
        feedMarks = try FeedMarkTable(db)
        topics = try TopicTable(db)
        trailTables = try TrailTables(db)
        broadcasts = try BroadcastTable(db)
        erasures = try ErasureTable(db)
    }

    // MARK: Inboxes

    /// The user's inbox as this transaction has left it so far; created if there is none.
    func inbox(of user: UserID) throws -> InboxRecord {
        if let touched = touched[user] { return touched.record }
        if let record = memory.inboxes.value(for: user) { return record }
        let record = try inboxes.record(of: user) ?? inboxes.create(for: user, epoch: options.makeEpoch())
        memory.inboxes.keep(record, for: user)
        return record
    }

    /// The user's inbox as ``inbox(of:)`` tells it; nil if there is none.
    func knownInbox(of user: UserID) throws -> InboxRecord? {
        if let record = touched[user]?.record ?? memory.inboxes.value(for: user) { return record }
        return try inboxes.record(of: user)
    }

    /// The state of an inbox whose row was just read: this transaction may have left it otherwise, and writes at its end.
    func state(of user: UserID, stored: InboxState) -> InboxState { touched[user]?.record.state ?? stored }

    func user(ofInbox id: Int64) throws -> UserID { try inboxes.user(ofInbox: id) }

    /// The highest number that an inbox has; 0 without any.
    func lastInbox() throws -> Int64 { try inboxes.lastID() }

    /// As ``InboxTable/users(after:upTo:unknownTo:limit:)``.
    func users(
        after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID)] {
        try inboxes.users(after: id, upTo: last, unknownTo: broadcast, limit: limit)
    }

    func write(_ profile: UserProfile, inbox: Int64) throws { try inboxes.write(profile, inbox: inbox) }
    func write(device: Reader, inbox: Int64) throws { try inboxes.write(device: device, inbox: inbox) }

    /// From here on the user is unknown.
    func deleteInbox(_ id: Int64, of user: UserID) throws {
        try inboxes.delete(inbox: id)
        touched[user] = nil
        memory.inboxes.forget(user)
        commit.erased.append(user)
    }

    /// Takes note of what has become of an inbox.
    func keep(_ record: InboxRecord, of user: UserID) throws {
        let seqBefore = try touched[user]?.seqBefore ?? inbox(of: user).state.seq
        touched[user] = TouchedInbox(record: record, seqBefore: seqBefore)
    }

    /// Whether so many inboxes were changed that what can wait is another commit's.
    var isFull: Bool { commit.inboxes.count >= options.rowsPerCommit }

    /// Writes the counts of the inboxes and contents that were touched; to be called before the commit.
    func flush() throws {
        for (user, inbox) in touched {
            try inboxes.write(inbox.record)
            try changes.trim(inbox: inbox.record.id, from: inbox.seqBefore, to: inbox.record.state.seq)
            memory.inboxes.keep(inbox.record, for: user)
        }
        touched.removeAll()
        for (id, uses) in contentUses { try contentWriter.addUses(uses, to: id) }
        contentUses.removeAll()
        try trailTables.write(trail)
        trail = TrailRecorder()
    }

    /// The unread rows of a group among the newest ``NotificationFilter/window``.
    func unread(ofGroup group: String, inbox: Int64) throws -> [NotificationRecord] {
        let filter = NotificationFilter(unreadOnly: true, group: group)
        return try FilteredReader(db).rows(filter, asOf: .max, of: inbox).map(\.record)
    }

    // MARK: Contents

    /// Writes a content, which nothing shows yet, and returns its row number.
    ///
    /// - Parameter actor: whose doing it tells of.
    func insert(_ content: Content, event: String, actor: String? = nil) throws -> Int64 {
        let id = contentCache.reserveID()
        try contentWriter.insert(content, as: id, event: event, actor: actor)
        contentCache.keep(content, as: id)
        contentUses[id, default: 0] += 0
        return id
    }

    func addUses(_ number: Int64, ofContent id: Int64) { contentUses[id, default: 0] += number }

    // MARK: Idempotency keys

    /// Drops expired keys, and hours of pushes that are over, once a minute.
    func sweep(at now: Timestamp) throws {
        try trailTables.sweep(&memory.trailSweep, at: now, lifetime: options.trailLifetime)
        guard now >= memory.nextSweep else { return }
        memory.nextSweep = now + .seconds(60)
        try keys.removeExpired(at: now)
        try pushPaces.removeEnded(at: now)
        try broadcasts.removeEnded(before: now - options.keyLifetime)
    }

    // MARK: Pushes

    /// Whose turn it is among a provider's jobs. `body` must not ask for the same again.
    func withTurns<Result>(
        of provider: Device.Provider, _ body: (inout PushTurns) throws -> Result
    ) throws -> Result {
        var turns = try turns.take(provider) { try pushJobs.putOff(provider: provider) }
        defer { self.turns.put(turns, provider) }
        return try body(&turns)
    }

    func queue(_ job: NewPushJob, _ provider: Device.Provider) throws {
        try pushJobs.insert(job, provider: provider)
        let place = PushTurns.Place(availableAt: job.due, device: job.device, notification: job.notification)
        try noteQueued(place, provider)
    }

    /// A job waits there that did not before.
    func noteQueued(_ place: PushTurns.Place, _ provider: Device.Provider) throws {
        try withTurns(of: provider) { $0.added(place) }
        tellPush(provider, due: place.availableAt)
    }

    /// A job that may have held up its device is gone: what waited behind it is due by now.
    func noteCancelled(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        let isNextFree = try withTurns(of: provider) { $0.cancelled(device: device, notification: notification) }
        if isNextFree { tellPush(provider, due: Timestamp(milliseconds: 0)) }
    }

    // MARK: Feeds

    /// The feed as this transaction has left it so far; created if there is none.
    func feed(named name: String) throws -> FeedRecord {
        try knownFeed(named: name) ?? feeds.create(name, epoch: options.makeEpoch())
    }

    /// The feed as ``feed(named:)`` tells it; nil if there is none.
    func knownFeed(named name: String) throws -> FeedRecord? {
        try memory.feeds.value(for: ExactText(name)) ?? FeedReader(db).record(named: name)
    }

    func keep(_ record: FeedRecord, named name: String) { memory.feeds.keep(record, for: ExactText(name)) }

    // MARK: Telling

    func tell(_ change: InboxChange, to user: UserID) {
        commit.inboxes.append(Commit.InboxDelivery(user: user, change: change))
    }

    func tell(_ item: FeedItem, at position: FeedPosition) {
        commit.feeds.append(Commit.FeedDelivery(item: item, position: position))
    }

    /// Somebody is not in a topic any more.
    func tellDeparture(of user: UserID, from topic: String) {
        commit.departures.append(Commit.Departure(user: user, topic: topic))
    }

    /// - Parameter json: as ``UserSettings/json``.
    func tell(settings json: [UInt8], to user: UserID) {
        commit.settings.append(Commit.SettingsDelivery(user: user, json: json))
    }

    func tellPush(_ provider: Device.Provider, due: Timestamp) {
        commit.nextPushDue[provider] = min(commit.nextPushDue[provider] ?? due, due)
    }
}
