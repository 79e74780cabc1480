package import Inbox
package import Push
package import Store

/// The state that the writes of one group share: the engine's rows, the inboxes they touch, and the growing commit.
///
/// Lives for one transaction on the writer's queue. ``flush()`` writes counts once for each inbox and group, and only
/// where notifications do not tell them.
package final class OpenTransaction {
    /// A request hardly ever takes longer to reach the writer.
    private static let longestWay = Duration.seconds(2)

    package let options: StoreOptions
    package let rows: any StoreRows
    package var trail: TrailRecorder
    /// Whether this is a dry run: it shows what phones would show, even if people have none.
    package var isRehearsal = false
    /// The contents of notifications after each event of a rehearsal.
    private var rehearsed: [RehearsedPlace: Content] = [:]

    package var memory: WriterMemory
    /// The order in which pushes leave, and those that are on their way.
    package var turns: any PushTurnRows { rows.pushTurns }
    package internal(set) var commit = Commit()
    /// The trail's keys among those of the writes that are performed now; nil where each is to be looked up by itself.
    package private(set) var knownKeys: Set<EventKey>?
    /// The inboxes whose rows are to be written. Notifications tell the counts of all other changed inboxes, so these
    /// may be forgotten and read again before the commit.
    private var outdated: [UserID: InboxRecord] = [:]

    /// - Parameter trail: empty, with the room that an earlier transaction's took.
    package init(
        _ rows: any StoreRows, options: StoreOptions, memory: WriterMemory, trail: TrailRecorder = TrailRecorder()
    ) {
        (self.rows, self.options, self.memory, self.trail) = (rows, options, memory, trail)
    }

    /// Written with all else.
    private var newWebhooks: [NewWebhook] = []
    /// Written with all else, or before they are asked for.
    var newQuestions: [OpenQuestion] = []

    private struct RehearsedPlace: Hashable {
        let event: String
        let notification: NotificationID
    }

    /// Notes that an event has made or grown a notification, push-only ones included.
    package func noteRehearsed(_ notification: NotificationID, _ content: Content, by event: String) {
        rehearsed[RehearsedPlace(event: event, notification: notification)] = content
    }

    /// A notification's content after an event of a rehearsal; nil if the event has not touched it.
    package func rehearsedContent(of notification: NotificationID, by event: String) -> Content? {
        rehearsed[RehearsedPlace(event: event, notification: notification)]
    }

    // MARK: Rows

    package var notifications: any NotificationRows { get throws { try rows.notifications } }
    package var contents: any ContentRows { rows.contents }
    package var pushOnly: any PushOnlyRows { rows.pushOnly }
    package var changes: any ChangeRows { rows.changes }
    package var keys: any KeyRows { rows.keys }
    package var devices: any DeviceRows { rows.devices }
    package var pushJobs: any PushJobRows { rows.pushJobs }
    package var pushFolds: any PushFoldRows { rows.pushFolds }
    package var pushHolds: any PushHoldRows { rows.pushHolds }
    package var pushRenewals: any PushRenewalRows { rows.pushRenewals }
    package var pushMarks: any PushMarkRows { rows.pushMarks }
    package var pushPaces: any PushPaceRows { rows.pushPaces }
    package var feeds: any FeedRows { rows.feeds }
    package var feedChanges: any FeedChangeRows { rows.feedChanges }
    package var feedMarks: any FeedMarkRows { rows.feedMarks }
    package var topics: any TopicRows { rows.topics }
    package var broadcasts: any BroadcastRows { rows.broadcasts }
    package var erasures: any ErasureRows { get throws { try rows.erasures } }
    package var trailRows: any TrailRows { rows.trail }

    // MARK: Inboxes

    /// The user's inbox as this transaction has left it so far; created if there is none.
    package func inbox(of user: UserID) throws -> InboxRecord {
        if let record = remembered(user) { return record }
        let record = try rows.inboxes.record(of: user) ?? rows.inboxes.create(for: user, epoch: options.makeEpoch())
        memory.inboxes.keep(record, for: user)
        return record
    }

    /// Creates the user's inbox if there is none, and does not remember it: a user who only looks gets nothing yet.
    package func createInbox(of user: UserID) throws {
        guard try knownInbox(of: user) == nil else { return }
        _ = try rows.inboxes.create(for: user, epoch: options.makeEpoch())
    }

    /// As ``inbox(of:)``, but nil if there is none.
    package func knownInbox(of user: UserID) throws -> InboxRecord? {
        try remembered(user) ?? rows.inboxes.record(of: user)
    }

    private func remembered(_ user: UserID) -> InboxRecord? {
        if let record = memory.inboxes.value(for: user) { return record }
        return outdated.isEmpty ? nil : outdated[user]
    }

    func isRemembered(_ user: UserID) -> Bool { remembered(user) != nil }

    /// Sorts by inbox. Those whose inboxes are not remembered come last, in their own order.
    package func sortedByInbox<Element>(_ elements: [Element], _ user: (Element) -> UserID) -> [Element] {
        let numbered = elements.enumerated().map { place, element in
            (inbox: memory.inboxes.value(for: user(element))?.id ?? .max, place: place)
        }
        return numbered.sorted { ($0.inbox, $0.place) < ($1.inbox, $1.place) }.map { elements[$0.place] }
    }

    /// Whether the person may have a session that could acknowledge, here or elsewhere.
    package func isLive(_ user: UserID) throws -> Bool {
        try options.isLive(user) || rows.inboxes.isLiveElsewhere(user)
    }

    /// Whether the person has a session, here or elsewhere.
    package func isConnected(_ user: UserID) throws -> Bool {
        try options.isConnected(user) || rows.inboxes.isLiveElsewhere(user)
    }

    /// Nil where the inbox's row is damaged or gone.
    package func user(ofInbox id: Int64) throws -> UserID? { try rows.inboxes.user(ofInbox: id) }

    /// The highest number that an inbox has; 0 without any.
    package func lastInbox() throws -> Int64 { try rows.inboxes.lastID() }

    /// As ``InboxRows/count(of:)``.
    package func inboxCount(of app: AppName) throws -> Int64 { try rows.inboxes.count(of: app) }

    /// As ``InboxRows/users(of:after:upTo:unknownTo:limit:)``.
    package func users(
        of app: AppName, after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID?)] {
        try rows.inboxes.users(of: app, after: id, upTo: last, unknownTo: broadcast, limit: limit)
    }

    package func write(_ profile: UserProfile, inbox: Int64) throws { try rows.inboxes.write(profile, inbox: inbox) }
    package func write(_ settings: UserSettings, inbox: Int64) throws { try rows.inboxes.write(settings, inbox: inbox) }
    package func write(device: Reader, inbox: Int64) throws { try rows.inboxes.write(device: device, inbox: inbox) }

    /// Makes the user unknown.
    package func deleteInbox(_ id: Int64, of user: UserID) throws {
        try rows.inboxes.delete(inbox: id)
        outdated[user] = nil
        memory.inboxes.forget(user)
        tellErasure(of: user)
    }

    /// Notes that a person's tokens no longer count.
    package func revoke(_ revocation: Revocation) throws {
        try rows.revocations.insert(revocation)
        commit.revoked.append(revocation)
    }

    /// Notes an inbox's new state; to be called after each change that takes a `seq`.
    package func keep(_ record: InboxRecord, of user: UserID) throws {
        memory.inboxes.keep(record, for: user)
        if record.isOutdated {
            outdated[user] = record
        } else if !outdated.isEmpty {
            // A device has gone and another one come, so the row is right again.
            outdated[user] = nil
        }
        try changes.trim(inbox: record.id, head: record.state.seq)
    }

    /// Notes pushes that an acknowledgement has cancelled before they left.
    func noteSaved(_ count: Int) { commit.savedPushes += count }

    /// Whether so many inboxes have changed that the remaining writes go into the next commit.
    package var isFull: Bool { commit.inboxes.count >= options.rowsPerCommit }

    /// Makes room for what so many more writes bring at least.
    package func reserve(writes: Int) {
        commit.inboxes.reserveCapacity(commit.inboxes.count + writes)
        trail.reserve(events: writes)
    }

    /// Looks up together the keys of writes that are about to be performed. One alone is looked up by itself where an
    /// engine has its rows at hand.
    package func lookUpKeys(_ names: [EventKey]) throws {
        knownKeys = names.count > (rows.fetchesTogether ? 0 : 1) ? try keys.known(among: names) : nil
    }

    /// Writes what was gathered so far; to be called before the commit.
    package func flush() throws {
        for (user, record) in outdated {
            try rows.inboxes.write(record)
            memory.inboxes.keep(record.asWritten, for: user)
        }
        outdated.removeAll()
        for line in try turns.flush() { tellPush(line.provider, due: line.due) }
        try rows.flush()
        if !newWebhooks.isEmpty {
            try rows.webhooks.insert(newWebhooks)
            newWebhooks.removeAll()
        }
        try writeQuestions()
        // Nowhere else: `knownKeys` relies on no write adding keys to the table.
        try trailRows.write(trail)
        if let isTraced = options.isTraced, !isRehearsal { commit.traced += trail.traced(isTraced) }
        trail.removeAll()
    }

    /// A content, written or new in this transaction.
    package func content(_ id: Int64) throws -> Content { try contents.content(id) }

    // MARK: Telling

    package func tell(_ change: consuming InboxChange, to user: UserID, mayBePushed: Bool = false) {
        commit.inboxes.append(Commit.InboxDelivery(user: user, change: change, mayBePushed: mayBePushed))
    }

    /// - Parameter isOfEvent: whether an event has published it.
    package func tell(_ item: FeedItem, at position: FeedPosition, isOfEvent: Bool = false) {
        commit.feeds.append(Commit.FeedDelivery(item: item, position: position, isOfEvent: isOfEvent))
    }

    /// Tells that nothing is known about a person any more.
    func tellErasure(of user: UserID) {
        commit.erased.append(user)
        // Whoever hears of the commit takes in its erasures first.
        commit.revoked.removeAll { $0.user == user }
    }

    /// Tells that a user is no longer in a topic.
    package func tellDeparture(of user: UserID, from topic: String) {
        commit.departures.append(Commit.Departure(user: user, topic: topic))
    }

    /// - Parameter json: as ``UserSettings/json``.
    package func tell(settings json: [UInt8], to user: UserID) {
        commit.settings.append(Commit.SettingsDelivery(user: user, json: json))
    }

    /// The moment from which something waits: `asked`, or the process' own clock where the two are far apart. They are
    /// if that clock is behind the wall clock, or was moved between the two.
    package func present(_ asked: Timestamp) -> Timestamp {
        guard let now = options.clock?() else { return asked }
        return now - asked > Self.longestWay || asked - now > Self.longestWay ? now : asked
    }

    /// As ``StoreOptions/clockMoved``.
    package var clockMoved: Duration { options.clockMoved?() ?? .zero }

    /// Adds a webhook to what is written.
    func add(_ webhook: NewWebhook) {
        newWebhooks.append(webhook)
        tellWebhook(due: webhook.due)
    }

    func tellWebhook(due: Timestamp) { commit.nextWebhookDue = min(commit.nextWebhookDue ?? due, due) }

    package func tellPush(_ provider: Device.Provider, due: Timestamp) {
        commit.nextPushDue[provider] = min(commit.nextPushDue[provider] ?? due, due)
    }
}
