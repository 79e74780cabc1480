import Deliveries
import Inbox
import Store

/// Inboxes, what is in them, and what it says.
final class MemoryInboxes: MemoryPart, InboxRows {
    func record(of user: UserID) -> InboxRecord? {
        guard let (id, inbox) = state.inboxes.first(where: { $0.value.user == user }) else { return nil }
        var state = inbox.state
        // Counts are written only where the newest notification does not tell them.
        let newest = list(id).max { $0.id < $1.id }
        if let newest, newest.id > state.seq {
            state = InboxState(
                epoch: state.epoch, seq: newest.id, unread: newest.unreadAfter, unseen: newest.unseenAfter,
                total: state.total + newest.id - state.seq)
        }
        return InboxRecord(id: id, state: state, devices: inbox.devices, person: inbox.person, isDamaged: false)
    }

    func isLiveElsewhere(_ user: UserID) -> Bool { memory.isLiveElsewhere(user) }
    func user(ofInbox id: Int64) -> UserID? { state.inboxes[id]?.user }
    func lastID() -> Int64 { state.inboxes.keys.max() ?? 0 }
    func count(of app: AppName) -> Int64 {
        // The estimate of the other engine: the two are compared.
        if app.isUnnamed { return lastID() - Int64(state.inboxes.values.count { !$0.user.app.isUnnamed }) }
        return Int64(state.inboxes.values.count { $0.user.app == app })
    }

    func users(
        of app: AppName, after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) -> [(inbox: Int64, user: UserID?)] {
        let known = state.broadcasts.values.first { $0.record.id == broadcast }?.known ?? []
        let inboxes = state.inboxes.filter {
            $0.key > id && $0.key <= last && !known.contains($0.key) && $0.value.user.app == app
        }
        return inboxes.sorted { $0.key < $1.key }.prefix(limit).map { ($0.key, $0.value.user) }
    }

    /// Makes a transaction worthless, as an engine's failure does.
    private struct MissingEpoch: EngineFailure {}

    func create(for user: UserID, epoch: String) throws -> InboxRecord {
        if epoch.isEmpty { throw MissingEpoch() }
        state.lastInbox = max(state.lastInbox, lastID()) + 1
        state.inboxes[state.lastInbox] = .init(user: user, state: InboxState(epoch: epoch))
        return InboxRecord(id: state.lastInbox, epoch: epoch)
    }

    func write(_ record: InboxRecord) {
        state.inboxes[record.id]?.state = record.state
        state.inboxes[record.id]?.devices = record.devices
    }

    func write(_ profile: UserProfile, inbox: Int64) {
        change(inbox, profile: profile)
        state.inboxes[inbox]?.hasProfile = true
    }
    func write(_ settings: UserSettings, inbox: Int64) { change(inbox, settings: settings) }
    func write(device: Reader, inbox: Int64) { change(inbox, device: device) }

    private func change(
        _ inbox: Int64, settings: UserSettings? = nil, profile: UserProfile? = nil, device: Reader? = nil
    ) {
        let known = state.inboxes[inbox]?.person
        state.inboxes[inbox]?.person = Person(
            settings: settings ?? known?.settings ?? UserSettings(),
            profile: profile ?? known?.profile ?? UserProfile(),
            device: device ?? known?.device ?? Reader())
    }

    func delete(inbox: Int64) { state.inboxes[inbox] = nil }
}

extension MemoryInboxes: NotificationRows {
    private func name(_ inbox: Int64, _ id: Int64) -> NotificationID { NotificationID(inbox: inbox, sequence: id) }

    private func row(_ inbox: Int64, _ id: Int64) -> MemoryState.Row? {
        state.notifications[name(inbox, id)] ?? state.pushOnly[name(inbox, id)]
    }

    func rows(_ inbox: Int64) -> [MemoryState.Row] {
        state.notifications.filter { $0.key.inbox == inbox }.map(\.value)
            .sorted { $0.record.place > $1.record.place }
    }

    /// The highest place first.
    private func list(_ inbox: Int64) -> [NotificationRecord] { rows(inbox).map(\.record) }

    func record(inbox: Int64, id: Int64) -> NotificationRecord? { row(inbox, id)?.record }
    func content(inbox: Int64, id: Int64) -> Int64? { row(inbox, id)?.record.contentID }

    func contents(_ wanted: [(inbox: Int64, notification: Int64)]) -> [(content: Int64, rev: Int64)?] {
        wanted.map { record(inbox: $0.inbox, id: $0.notification).map { ($0.contentID, $0.rev) } }
    }

    func upTo(_ seq: Int64, inbox: Int64) -> [NotificationRecord] {
        list(inbox).filter { $0.seq <= seq }.sorted { $0.id > $1.id }
    }

    func lowest(inbox: Int64, limit: Int) -> [(id: Int64, storedAt: Timestamp)] {
        rows(inbox).reversed().prefix(limit).map { ($0.record.id, $0.storedAt) }
    }

    func highest(_ limit: Int, of type: String, by actor: String, inbox: Int64, window: Int) -> [NotificationRecord] {
        let found = list(inbox).prefix(window).filter { row in
            guard let stored = state.contents[row.contentID] else { return false }
            return stored.content.type.isExactly(type) && (stored.source.actor?.isExactly(actor) ?? false)
        }
        return Array(found.prefix(limit))
    }

    func unread(inbox: Int64, count: Int64) -> [NotificationRecord] {
        Array(list(inbox).filter { !$0.isRead }.prefix(Int(clamping: count)))
    }

    func unseen(inbox: Int64, count: Int64) -> [NotificationRecord] {
        Array(list(inbox).filter { !$0.isRead && !$0.isSeen }.prefix(Int(clamping: count)))
    }

    func unread(ofGroup group: String, inbox: Int64) -> [NotificationRecord] {
        rows(inbox).filter { !$0.record.isRead && $0.group == ListMark.of(group) }.map(\.record)
    }

    func hasAny(ofGroup group: String, inbox: Int64) -> Bool { rows(inbox).contains { $0.group == ListMark.of(group) } }

    func grow(_ record: NotificationRecord, _ marks: ContentMarks, inbox: Int64) {
        let name = name(inbox, record.id)
        state.pushOnly[name]?.record.contentID = record.contentID
        state.pushOnly[name]?.record.rev = record.rev
        guard var row = state.notifications[name] else { return }
        (row.record.contentID, row.record.rev, row.record.seq) = (record.contentID, record.rev, record.seq)
        (row.record.isSeen, row.record.fresh, row.group) = (record.isSeen, record.fresh, marks.group)
        state.notifications[name] = row
    }

    func raise(_ record: NotificationRecord, from place: Int64, inbox: Int64, at now: Timestamp) {
        state.notifications[name(inbox, record.id)]?.record.place = record.place
        state.notifications[name(inbox, record.id)]?.storedAt = now
    }

    func markRead(_ rows: [NotificationRecord], inbox: Int64) {
        markSeen(rows, inbox: inbox)
        for row in rows { state.notifications[name(inbox, row.id)]?.record.isRead = true }
        for row in rows { closeBatch(inbox: inbox, id: row.id) }
    }

    func markSeen(_ rows: [NotificationRecord], inbox: Int64) {
        for row in rows {
            state.notifications[name(inbox, row.id)]?.record.isSeen = true
            state.notifications[name(inbox, row.id)]?.record.fresh = FreshContent(count: 0, from: row.fresh.from)
        }
    }

    func closeBatch(inbox: Int64, id: Int64) { state.notifications[name(inbox, id)]?.batchKey = nil }

    func remove(_ rows: [NotificationRecord], inbox: Int64) {
        for row in rows {
            state.notifications[name(inbox, row.id)] = nil
            state.pushOnly[name(inbox, row.id)] = nil
        }
    }
}

extension MemoryInboxes: ContentRows {
    func content(_ id: Int64) -> Content {
        state.contents[id]?.content
            ?? Content(type: "", displayText: "", body: Array("\"type\":null".utf8), batch: nil, push: nil)
    }

    func source(ofContent id: Int64) -> ContentSource? { state.contents[id]?.source }

    func openBatch(inbox: Int64, key: String) -> NotificationRecord? {
        rows(inbox).first { $0.batchKey?.isExactly(key) ?? false }?.record
    }

    func insert(_ content: Content, event: String, actor: String?) -> Int64 {
        state.lastContent += 1
        state.contents[state.lastContent] = .init(content: content, source: ContentSource(event: event, actor: actor))
        return state.lastContent
    }

    func add(_ new: NewNotification) {
        state.notifications[name(new.inbox, new.record.id)] = .init(new)
        addUses(1, ofContent: new.record.contentID)
    }

    func addUses(_ number: Int64, ofContent id: Int64) { state.contents[id]?.uses += number }
}

extension MemoryInboxes: ChangeRows {
    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) {
        state.changes.append(.init(inbox: inbox, stamp: stamp, change: change))
    }

    var length: Int64 { memory.changeLogLength }

    func remove(upTo seq: Int64, inbox: Int64) {
        state.changes.removeAll { $0.inbox == inbox && $0.stamp.seq <= seq }
    }
}

extension MemoryState.Row {
    init(_ new: NewNotification) {
        self.init(record: new.record, storedAt: new.storedAt, batchKey: new.batchKey, group: new.marks.group)
    }
}

/// Notifications that stand in no inbox.
final class MemoryPushOnly: MemoryPart, PushOnlyRows {
    func openBatch(inbox: Int64, key: String) -> NotificationRecord? {
        state.pushOnly.first { $0.key.inbox == inbox && ($0.value.batchKey?.isExactly(key) ?? false) }?.value.record
    }

    func newest(inbox: Int64) -> Int64? { state.pushOnly.keys.filter { $0.inbox == inbox }.map(\.sequence).max() }

    func stored(before time: Timestamp, limit: Int) -> [(inbox: Int64, id: Int64, content: Int64)] {
        state.pushOnly.filter { $0.value.storedAt < time }.sorted { $0.value.storedAt < $1.value.storedAt }
            .prefix(limit).map { ($0.key.inbox, $0.key.sequence, $0.value.record.contentID) }
    }

    func insert(_ new: NewNotification) {
        state.pushOnly[.init(inbox: new.inbox, sequence: new.record.id)] = .init(new)
    }
    func closeBatch(inbox: Int64, id: Int64) { state.pushOnly[.init(inbox: inbox, sequence: id)]?.batchKey = nil }
    func renew(inbox: Int64, id: Int64, at now: Timestamp) {
        state.pushOnly[.init(inbox: inbox, sequence: id)]?.storedAt = now
    }
    func delete(inbox: Int64, id: Int64) { state.pushOnly[.init(inbox: inbox, sequence: id)] = nil }
}

/// Inboxes that are gone.
final class MemoryErasures: MemoryPart, ErasureRows {
    func first() -> Int64? { state.erased.min() }

    func notifications(inbox: Int64, limit: Int) -> [NotificationRecord] {
        let all = [state.notifications, state.pushOnly].flatMap { rows in
            rows.filter { $0.key.inbox == inbox }.map(\.value.record).sorted { $0.id < $1.id }
        }
        return Array(all.prefix(limit))
    }

    func uses(ofContent id: Int64) -> Int64 { state.contents[id]?.uses ?? 0 }
    func insert(inbox: Int64) { state.erased.insert(inbox) }
    func deletePaces(inbox: Int64) { state.paces = state.paces.filter { $0.key.inbox != inbox } }
    func delete(_ rows: [NotificationRecord], inbox: Int64) { MemoryInboxes(memory).remove(rows, inbox: inbox) }

    func deleteChanges(inbox: Int64, limit: Int) -> Int {
        let old = Set(state.changes.filter { $0.inbox == inbox }.map(\.stamp.seq).sorted().prefix(limit))
        state.changes.removeAll { $0.inbox == inbox && old.contains($0.stamp.seq) }
        return old.count
    }

    func delete(inbox: Int64) { state.erased.remove(inbox) }
}
