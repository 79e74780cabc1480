import Deliveries
import Inbox
import Push

/// What one transaction has looked up and may ask for again: rows under its own locks, so only itself can change them.
///
/// Whoever changes a row says so here.
final class TransactionFacts {
    /// Nil for a person without an inbox.
    private var inboxes: [UserID: InboxRecord?] = [:]
    private var users: [Int64: UserID] = [:]
    /// Whether these people have sessions at other nodes.
    private var elsewhere: [UserID: Bool] = [:]
    /// Whether other nodes have a lease; nil if it is not known.
    var hasOtherNodes: Bool?
    private var devices: [Int64: [KnownRow]] = [:]
    private var devicesByRow: [Int64: DeviceRecord] = [:]
    /// By inbox and key; nil where no batch is open.
    private var batches: [Int64: [ExactText: NotificationRecord?]] = [:]
    private var notifications: [Int64: [Int64: NotificationRecord?]] = [:]
    /// Whether the inboxes have waiting pushes that an acknowledgement may cancel.
    private var waiting: [Int64: Bool] = [:]

    /// A device, and its target where it gets pushes.
    struct KnownRow {
        let record: DeviceRecord
        let target: DeviceTarget?
    }

    // MARK: Inboxes

    /// - Returns: nil if it is not known; `.some(nil)` for a person without an inbox.
    func inbox(of user: UserID) -> InboxRecord?? { inboxes[user] }

    /// Whether it is known that a person has no inbox.
    func isWithoutInbox(_ user: UserID) -> Bool {
        if case .some(.none) = inboxes[user] { true } else { false }
    }

    func user(ofInbox id: Int64) -> UserID? { users[id] }

    func keep(_ record: InboxRecord?, of user: UserID) {
        inboxes[user] = .some(record)
        if let record { users[record.id] = user }
    }

    func keep(_ user: UserID, ofInbox id: Int64) { users[id] = user }

    /// An inbox comes, or may have come by another's doing.
    func forget(_ user: UserID) { inboxes[user] = nil }

    /// An inbox's row has changed, or what is in it.
    func changed(inbox: Int64) { if let user = users[inbox] { inboxes[user] = nil } }

    func deleted(inbox: Int64) {
        changed(inbox: inbox)
        users[inbox] = nil
        forgetDevices()
        forgetNotifications(inbox: inbox)
    }

    /// Nil if it is not known.
    func isElsewhere(_ user: UserID) -> Bool? { elsewhere[user] }

    /// Who has been looked up, and may be asked for next.
    var unknownElsewhere: [UserID] { inboxes.keys.filter { elsewhere[$0] == nil } }

    func keep(isElsewhere: Bool, _ user: UserID) { elsewhere[user] = isElsewhere }

    // MARK: Devices

    func devices(inbox: Int64) -> [KnownRow]? { devices[inbox] }

    func device(row: Int64) -> DeviceRecord? { devicesByRow[row] }

    func keep(_ rows: [KnownRow], inbox: Int64) { devices[inbox] = rows }

    func keep(_ device: DeviceRecord) { devicesByRow[device.row] = device }

    func forgetDevices() { (devices, devicesByRow) = ([:], [:]) }

    // MARK: Notifications

    /// - Returns: nil if it is not known; `.some(nil)` where no batch is open.
    func openBatch(inbox: Int64, key: String) -> NotificationRecord?? {
        guard let known = batches[inbox] else { return nil }
        return known[ExactText(key)]
    }

    func keep(openBatch record: NotificationRecord?, inbox: Int64, key: String) {
        batches[inbox, default: [:]][ExactText(key)] = .some(record)
    }

    /// - Returns: nil if it is not known; `.some(nil)` for a missing one.
    func notification(_ id: Int64, inbox: Int64) -> NotificationRecord?? {
        guard let known = notifications[inbox] else { return nil }
        return known[id]
    }

    func keep(_ record: NotificationRecord?, as id: Int64, inbox: Int64) {
        notifications[inbox, default: [:]][id] = .some(record)
    }

    func added(_ new: NewNotification) {
        changed(inbox: new.inbox)
        if let key = new.batchKey { keep(openBatch: new.record, inbox: new.inbox, key: key) }
        notifications[new.inbox]?[new.record.id] = nil
    }

    /// A notification has another content, or another place.
    func changed(_ record: NotificationRecord, inbox: Int64) {
        notifications[inbox]?[record.id] = nil
        guard let known = batches[inbox] else { return }
        for case (let key, let batch?) in known where batch.id == record.id { batches[inbox]?[key] = .some(record) }
    }

    func closedBatch(inbox: Int64, id: Int64) {
        guard let known = batches[inbox] else { return }
        for case (let key, let batch?) in known where batch.id == id { batches[inbox]?[key] = .some(nil) }
    }

    func forgetNotifications(inbox: Int64) {
        batches[inbox] = nil
        notifications[inbox] = nil
    }

    // MARK: Pushes

    /// Nil if it is not known.
    func hasWaiting(inbox: Int64) -> Bool? { waiting[inbox] }

    func keep(hasWaiting: Bool, inbox: Int64) { waiting[inbox] = hasWaiting }

    func forgetWaiting() { if !waiting.isEmpty { waiting = [:] } }
}
