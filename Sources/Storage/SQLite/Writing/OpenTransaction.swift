import GRDB
import Inbox
import Push

/// What the writes of one group share: the tables, the inboxes they touch, and the commit as it grows.
///
/// Lives for one transaction on the writer's queue. Counts go to the disk once an inbox and group, in ``flush()``, where
/// notifications do not tell them.
final class OpenTransaction {
    let options: SQLiteStoreOptions
    var trail = TrailRecorder()
    /// Somebody wants to see all that phones would show, whether people have any or not.
    var isRehearsal = false

    private(set) var memory: WriterMemory
    var turns = PushMemory.empty
    private(set) var commit = Commit()

    private let db: Database
    private let tables: WriterTables
    private let contentCache: ContentCache
    private let contents: ContentReader
    /// Those whose rows are to be written. All others that were changed are told by their notifications, and so may be
    /// forgotten and read again before the commit.
    private var outdated: [UserID: InboxRecord] = [:]
    private var newNotifications: [NotificationTable.NewRow] = []
    private var newContents: [NewContent] = []
    /// Few enough to be looked through.
    private static let maximumNewContents = 64
    /// By how much the number of notifications that show a content has changed, of those that are written.
    private var contentUses: [Int64: Int64] = [:]

    init(
        _ db: Database, _ tables: WriterTables, options: SQLiteStoreOptions, memory: WriterMemory,
        contents: ContentCache
    ) {
        self.db = db
        self.tables = tables
        self.options = options
        self.memory = memory
        contentCache = contents
        self.contents = ContentReader(tables.contents, contents)
    }

    // MARK: Tables

    /// With all that were added until now.
    var notifications: NotificationTable {
        get throws {
            try writeNotifications()
            return tables.notifications
        }
    }
    var changes: ChangeTable { tables.changes }
    var keys: KeyTable { tables.keys }
    var devices: DeviceTable { tables.devices }
    var pushJobs: PushJobTable { tables.pushJobs }
    var pushFolds: PushFoldTable { tables.pushFolds }
    var pushMarks: PushMarkTable { tables.pushMarks }
    var pushPaces: PushPaceTable { tables.pushPaces }
    var pushHolds: PushHoldTable { tables.pushHolds }
    var pushRenewals: PushRenewalTable { tables.pushRenewals }
    var settings: SettingsTable { tables.settings }
    var feeds: FeedTable { tables.feeds }
    var feedMarks: FeedMarkTable { tables.feedMarks }
    var topics: TopicTable { tables.topics }
    var broadcasts: BroadcastTable { tables.broadcasts }
    /// With all that were added until now: what is erased is among them.
    var erasures: ErasureTable {
        get throws {
            try writeNotifications()
            return tables.erasures
        }
    }
    var trailTables: TrailTables { tables.trail }
    private var inboxes: InboxTable { tables.inboxes }

    // MARK: Inboxes

    /// The user's inbox as this transaction has left it so far; created if there is none.
    func inbox(of user: UserID) throws -> InboxRecord {
        if let record = remembered(user) { return record }
        let record = try stored(user) ?? inboxes.create(for: user, epoch: options.makeEpoch())
        memory.inboxes.keep(record, for: user)
        return record
    }

    /// Creates the user's inbox if there is none, and remembers nothing of it: who only looks is not about to be told.
    func createInbox(of user: UserID) throws {
        guard try knownInbox(of: user) == nil else { return }
        _ = try inboxes.create(for: user, epoch: options.makeEpoch())
    }

    /// The user's inbox as ``inbox(of:)`` tells it; nil if there is none.
    func knownInbox(of user: UserID) throws -> InboxRecord? {
        try remembered(user) ?? stored(user)
    }

    private func stored(_ user: UserID) throws -> InboxRecord? {
        guard let record = try inboxes.record(of: user) else { return nil }
        // An inbox's newest notification tells its counts.
        guard try writeNotification(ofInbox: record.id) else { return record }
        return try inboxes.record(of: user)
    }

    private func remembered(_ user: UserID) -> InboxRecord? {
        if let record = memory.inboxes.value(for: user) { return record }
        return outdated.isEmpty ? nil : outdated[user]
    }

    /// Puts those first whose inboxes are remembered, in the inboxes' order; all others follow in their own.
    func sortedByInbox<Element>(_ elements: [Element], _ user: (Element) -> UserID) -> [Element] {
        let numbered = elements.enumerated().map { place, element in
            (inbox: memory.inboxes.value(for: user(element))?.id ?? .max, place: place)
        }
        return numbered.sorted { ($0.inbox, $0.place) < ($1.inbox, $1.place) }.map { elements[$0.place] }
    }

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
        outdated[user] = nil
        memory.inboxes.forget(user)
        commit.erased.append(user)
    }

    /// Takes note of what has become of an inbox; to be called after each change that takes a `seq`.
    func keep(_ record: InboxRecord, of user: UserID) throws {
        memory.inboxes.keep(record, for: user)
        if record.isOutdated {
            outdated[user] = record
        } else if !outdated.isEmpty {
            // Of the devices, one may have gone and another one come.
            outdated[user] = nil
        }
        try changes.trim(inbox: record.id, head: record.state.seq)
    }

    /// Whether so many inboxes were changed that what can wait is another commit's.
    var isFull: Bool { commit.inboxes.count >= options.rowsPerCommit }

    /// Writes what was gathered until now; to be called before the commit.
    func flush() throws {
        for (user, record) in outdated {
            try inboxes.write(record)
            memory.inboxes.keep(record.asWritten, for: user)
        }
        outdated.removeAll()
        try writeNotifications()
        let areAllUsed = newContents.allSatisfy { $0.uses > 0 }
        try tables.contents.insert(areAllUsed ? newContents : newContents.filter { $0.uses > 0 })
        newContents.removeAll()
        for (id, uses) in contentUses { try tables.contents.addUses(uses, to: id) }
        contentUses.removeAll()
        try trailTables.write(trail)
        trail = TrailRecorder()
    }

    /// The unread rows of a group among the newest ``NotificationFilter/window``.
    func unread(ofGroup group: String, inbox: Int64) throws -> [NotificationRecord] {
        try writeContents()
        try writeNotifications()
        let filter = NotificationFilter(unreadOnly: true, group: group)
        return try FilteredReader(db).rows(filter, asOf: .max, of: inbox).map(\.record)
    }

    // MARK: Notifications

    /// A notification has come. Its row is written with others, and before anybody looks at rows of the table.
    func add(_ row: NotificationTable.NewRow) throws {
        newNotifications.append(row)
        if newNotifications.count == RowInsertion.mostRows { try writeNotifications() }
    }

    /// For whoever is about to look at the table itself.
    func writeNotifications() throws {
        guard !newNotifications.isEmpty else { return }
        try tables.notifications.insert(newNotifications)
        newNotifications.removeAll(keepingCapacity: true)
    }

    /// Writes what waits if something of that inbox does, and returns whether it did: looking at one inbox is no reason to
    /// write others' rows one by one.
    private func writeNotification(ofInbox inbox: Int64) throws -> Bool {
        guard newNotifications.contains(where: { $0.inbox == inbox }) else { return false }
        try writeNotifications()
        return true
    }

    /// As ``NotificationTable/openBatch(inbox:key:)``, of those too that have just come.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        _ = try writeNotification(ofInbox: inbox)
        return try tables.notifications.openBatch(inbox: inbox, key: key)
    }

    // MARK: Contents

    /// Takes a content in, which nothing shows yet, and returns its row number.
    ///
    /// - Parameter actor: whose doing it tells of.
    func insert(_ content: Content, event: String, actor: String? = nil) throws -> Int64 {
        if newContents.count >= Self.maximumNewContents { try writeContents() }
        let id = contentCache.reserveID()
        contentCache.keep(content, as: id)
        newContents.append(NewContent(id: id, content: content, event: event, actor: actor))
        return id
    }

    /// A content that is written, or new in this transaction.
    func content(_ id: Int64) throws -> Content {
        try newContents.last { $0.id == id }?.content ?? contents.content(id)
    }

    func addUses(_ number: Int64, ofContent id: Int64) {
        // Mostly it is the one that has just come.
        if let place = newContents.lastIndex(where: { $0.id == id }) {
            newContents[place].uses += number
        } else {
            contentUses[id, default: 0] += number
        }
    }

    /// Writes the new contents before their time: for whoever is about to look at the table itself.
    func writeContents() throws {
        try tables.contents.insert(newContents)
        // It goes if nothing shows it in the end.
        for content in newContents { contentUses[content.id, default: 0] += 0 }
        newContents.removeAll(keepingCapacity: true)
    }

    // MARK: What is over

    /// Drops old decisions, and once a minute hours of pushes and events for many that are over.
    func sweep(at now: Timestamp) throws {
        try trailTables.sweep(
            &memory.trailSweep, at: now, lifetime: options.trailLifetime, keyLifetime: options.keyLifetime)
        guard now >= memory.nextSweep else { return }
        memory.nextSweep = now + .seconds(60)
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

    /// A mark is gone that has told of an accepted push: the trail tells it from now on.
    func note(_ push: SentPush, inbox: Int64, on device: Device) {
        var device = device
        // It may have registered with another one since.
        device.provider = push.provider
        trail.note(.sent, of: push.notification, inbox: inbox, on: device, at: push.at)
    }

    // MARK: Feeds

    /// The feed as this transaction has left it so far; created if there is none.
    func feed(named name: String) throws -> FeedRecord {
        try knownFeed(named: name) ?? feeds.create(name, epoch: options.makeEpoch())
    }

    /// The feed as ``feed(named:)`` tells it; nil if there is none.
    func knownFeed(named name: String) throws -> FeedRecord? {
        try memory.feeds.value(for: ExactText(name)) ?? feedReader.record(named: name)
    }

    /// Reads feeds as this transaction has left them so far.
    var feedReader: FeedReader { FeedReader(db) }

    func keep(_ record: FeedRecord, named name: String) { memory.feeds.keep(record, for: ExactText(name)) }

    // MARK: Telling

    func tell(_ change: InboxChange, to user: UserID, mayBePushed: Bool = false) {
        commit.inboxes.append(Commit.InboxDelivery(user: user, change: change, mayBePushed: mayBePushed))
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
