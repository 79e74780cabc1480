import GRDB
import Inbox
import Push

/// What the writes of one group share: the tables, the inboxes they touch, and the commit as it grows.
///
/// Lives for one transaction on the writer's queue. Counts go to the disk once an inbox and group, in ``flush()``,
/// where notifications do not tell them.
final class OpenTransaction {
    /// What is asked for is hardly ever longer on its way to the writer.
    private static let longestWay = Duration.seconds(2)

    let options: SQLiteStoreOptions
    var trail: TrailRecorder
    /// Somebody wants to see all that phones would show, whether people have any or not.
    var isRehearsal = false
    /// What phones alone would show in a rehearsal, which nobody else is told of.
    private(set) var rehearsedPushes: [(notification: NotificationID, content: Content)] = []
    /// Whether the disk must have it before anybody is told.
    private(set) var isPromised = false

    var memory: WriterMemory
    var turns = PushMemory.empty
    private(set) var commit = Commit()
    /// Of the keys that the writes bring which are performed now, those that stand in the trail; nil where each is to
    /// be looked up by itself.
    private(set) var knownKeys: Set<KeyTable.Name>?

    let db: Database
    private let tables: WriterTables
    let newRows: NewRows
    /// Those whose rows are to be written. All others that were changed are told by their notifications, and so may be
    /// forgotten and read again before the commit.
    private var outdated: [UserID: InboxRecord] = [:]

    /// - Parameter newRows: empty; nil for the tables' own.
    init(
        _ db: Database, _ tables: WriterTables, options: SQLiteStoreOptions, memory: WriterMemory,
        newRows: NewRows? = nil
    ) {
        self.db = db
        self.tables = tables
        self.options = options
        self.memory = memory
        self.newRows = newRows ?? tables.newRows
        trail = Swift.exchange(&tables.spareTrail, with: TrailRecorder())
        // Rows of an undone transaction would be written with this one's.
        precondition(self.newRows.isEmpty)
    }

    /// A push of what is in no inbox was decided on.
    func noteRehearsed(_ notification: NotificationID, _ content: Content) {
        if isRehearsal { rehearsedPushes.append((notification, content)) }
    }

    /// Something of it must be on the disk before anybody is told.
    func promise() { isPromised = true }

    // MARK: Tables

    /// With all that were added until now.
    var notifications: NotificationTable {
        get throws {
            try newRows.writeNotifications()
            return tables.notifications
        }
    }
    var pushOnly: PushOnlyTable { tables.notifications.pushOnly }
    /// With all that were added until now.
    var shownContents: ShownContents {
        get throws {
            try newRows.writeNotifications()
            return tables.shownContents
        }
    }
    var changes: ChangeTable { tables.changes }
    var keys: KeyTable { tables.keys }
    var devices: DeviceTable { tables.devices }
    var pushJobs: PushJobTable { tables.pushJobs }
    var pushJobRuns: PushJobRuns { tables.pushJobRuns }
    var pushFolds: PushFoldTable { tables.pushFolds }
    var pushMarks: PushMarkTable { tables.pushMarks }
    var pushPaces: PushPaceTable { tables.pushPaces }
    var pushHolds: PushHoldTable { tables.pushHolds }
    var pushRenewals: PushRenewalTable { tables.pushRenewals }
    var settings: SettingsTable { tables.settings }
    var feeds: FeedTable { tables.feeds }
    var feedChanges: FeedChangeTable { tables.feedChanges }
    var feedMarks: FeedMarkTable { tables.feedMarks }
    var topics: TopicTable { tables.topics }
    var broadcasts: BroadcastTable { tables.broadcasts }
    /// With all that were added until now: what is erased is among them.
    var erasures: ErasureTable {
        get throws {
            try newRows.writeNotifications()
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
        guard try newRows.writeNotification(ofInbox: record.id) else { return record }
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

    /// Nil where the inbox's row is damaged, or gone.
    func user(ofInbox id: Int64) throws -> UserID? { try inboxes.user(ofInbox: id) }

    /// The highest number that an inbox has; 0 without any.
    func lastInbox() throws -> Int64 { try inboxes.lastID() }

    /// As ``InboxTable/users(after:upTo:unknownTo:limit:)``.
    func users(
        after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID?)] {
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

    /// Makes room at once for what so many more writes bring at least.
    func reserve(writes: Int) {
        commit.inboxes.reserveCapacity(commit.inboxes.count + writes)
        trail.reserve(events: writes)
    }

    /// Has what is remembered of inboxes brought to the processor's cache, for writes that are about to be performed.
    func prefetchInboxes(of writes: ArraySlice<any Write>) {
        guard writes.count > 1 else { return }
        var users: [UserID] = []
        users.reserveCapacity(writes.count)
        for write in writes { write.gatherUsers(into: &users) }
        memory.inboxes.prefetch(users.count) { users[$0] }
    }

    /// Looks up together the keys of writes that are about to be performed.
    func lookUpKeys(of writes: ArraySlice<any Write>) throws {
        knownKeys = nil
        // One event for one person has two rows.
        guard writes.count > 1 || writes.contains(where: { $0.rows > 2 }) else { return }
        var names: [KeyTable.Name] = []
        names.reserveCapacity(writes.count)
        for write in writes { write.gatherKeys(into: &names) }
        if names.count > 1 { knownKeys = try keys.known(among: names) }
    }

    /// Writes what was gathered until now; to be called before the commit.
    func flush() throws {
        for (user, record) in outdated {
            try inboxes.write(record)
            memory.inboxes.keep(record.asWritten, for: user)
        }
        outdated.removeAll()
        try newRows.write()
        // Nowhere else: `knownKeys` rests on it that no write adds a key to the table.
        try trailTables.write(trail)
        trail.removeAll()
        swap(&trail, &tables.spareTrail)
    }

    /// The unread rows, in the list's order.
    /// - Parameter count: how many there are; none is looked for behind them.
    func unread(inbox: Int64, count: Int64) throws -> [NotificationRecord] {
        try newRows.writeNotifications()
        let list = ListReader(db, NotificationFilter(unreadOnly: true), inbox: inbox)
        return try list.rows(in: ListReader.Span(), limit: Int(clamping: count), skipping: 0)
    }

    /// The same of unseen rows.
    func unseen(inbox: Int64, count: Int64) throws -> [NotificationRecord] {
        try newRows.writeNotifications()
        return try ListReader(db, NotificationFilter(unreadOnly: true), inbox: inbox).unseen(count)
    }

    /// The unread rows of a group.
    func unread(ofGroup group: String, inbox: Int64) throws -> [NotificationRecord] {
        try newRows.writeNotifications()
        return try ListReader(db, NotificationFilter(unreadOnly: true, group: group), inbox: inbox).all()
    }

    // MARK: Notifications

    /// As ``NotificationTable/openBatch(inbox:key:)``, of those too that have just come.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        _ = try newRows.writeNotification(ofInbox: inbox)
        return try tables.notifications.openBatch(inbox: inbox, key: key)
    }

    /// A content that is written, or new in this transaction.
    func content(_ id: Int64) throws -> Content { try newRows.content(id) }

    /// Reads feeds as this transaction has left them so far.
    var feedReader: FeedReader { FeedReader(db, tables.damage) }

    // MARK: Telling

    func tell(_ change: consuming InboxChange, to user: UserID, mayBePushed: Bool = false) {
        commit.inboxes.append(Commit.InboxDelivery(user: user, change: change, mayBePushed: mayBePushed))
    }

    /// - Parameter isOfEvent: whether an event has published it.
    func tell(_ item: FeedItem, at position: FeedPosition, isOfEvent: Bool = false) {
        commit.feeds.append(Commit.FeedDelivery(item: item, position: position, isOfEvent: isOfEvent))
    }

    /// Somebody is not in a topic any more.
    func tellDeparture(of user: UserID, from topic: String) {
        commit.departures.append(Commit.Departure(user: user, topic: topic))
    }

    /// - Parameter json: as ``UserSettings/json``.
    func tell(settings json: [UInt8], to user: UserID) {
        commit.settings.append(Commit.SettingsDelivery(user: user, json: json))
    }

    /// The moment at which something is written, given the one at which it was asked for: another one where the
    /// process' clock was moved between the two.
    func present(_ asked: Timestamp) -> Timestamp {
        guard let now = options.clock?() else { return asked }
        return now - asked > Self.longestWay || asked - now > Self.longestWay ? now : asked
    }

    func tellPush(_ provider: Device.Provider, due: Timestamp) {
        commit.nextPushDue[provider] = min(commit.nextPushDue[provider] ?? due, due)
    }
}
