import Inbox
import Support

@testable import SQLiteStore
@testable import Store

/// An inbox to which something happens, as the writer would tell of it.
struct RandomInbox {
    let user: UserID
    private let number: Int64
    private(set) var state: InboxState
    private var notifications: [Notification] = []

    init(_ user: UserID, number: Int64) {
        (self.user, self.number) = (user, number)
        state = InboxState(epoch: "epoch of \(number)")
    }

    mutating func add(_ content: Content, at time: Timestamp) -> InboxChange {
        let stamp = state.add()
        let notification = Notification(
            id: NotificationID(inbox: number, sequence: stamp.seq), content: content, createdAt: time, rev: 1,
            seq: stamp.seq, isRead: false, isSeen: false)
        notifications.append(notification)
        return InboxChange(stamp: stamp, kind: .new(notification))
    }

    /// Any change but a new notification; nil if no notification can be changed.
    mutating func change(_ content: Content, _ random: inout SeededRandom) -> InboxChange? {
        guard let some = notifications.randomElement(using: &random) else { return nil }
        let seq = max(0, state.seq - Int64.random(in: 0...8, using: &random))
        switch random.next(below: 6) {
        case 0: return grow(some, content)
        case 1: return read(.ids(several(&random)))
        case 2: return read(.upTo(seq))
        case 3: return see(upTo: seq)
        default: return remove(several(&random))
        }
    }

    private func several(_ random: inout SeededRandom) -> [NotificationID] {
        notifications.shuffled(using: &random).prefix(1 + random.next(below: 3)).map(\.id)
    }

    private mutating func grow(_ notification: Notification, _ content: Content) -> InboxChange {
        // A read notification does not grow: only its live fields can change.
        let stamp = notification.isRead ? state.alter() : state.grow(wasSeen: notification.isSeen)
        let grown = Notification(
            id: notification.id, content: content, createdAt: notification.createdAt, rev: notification.rev + 1,
            seq: stamp.seq, isRead: notification.isRead, isSeen: notification.isRead, place: stamp.seq)
        notifications = notifications.map { $0.id == grown.id ? grown : $0 }
        return InboxChange(stamp: stamp, kind: .update(grown))
    }

    private mutating func read(_ selection: InboxChange.Selection) -> InboxChange {
        let (unread, unseen) = look(isRead: true) {
            switch selection {
            case .ids(let ids): ids.contains($0.id)
            case .upTo(let seq): $0.seq <= seq
            }
        }
        return InboxChange(stamp: state.read(unread, unseen: unseen), kind: .read(selection))
    }

    private mutating func see(upTo seq: Int64) -> InboxChange {
        let (_, unseen) = look(isRead: false) { $0.seq <= seq }
        return InboxChange(stamp: state.see(unseen), kind: .seen(upTo: seq))
    }

    private mutating func remove(_ ids: [NotificationID]) -> InboxChange {
        let gone = notifications.filter { ids.contains($0.id) }
        notifications.removeAll { ids.contains($0.id) }
        let stamp = state.remove(
            Int64(gone.count), unread: Int64(gone.count { !$0.isRead }), unseen: Int64(gone.count { !$0.isSeen }))
        return InboxChange(stamp: stamp, kind: .removed(.ids(ids)))
    }

    /// Returns how many were unread, and how many unseen.
    private mutating func look(isRead: Bool, _ isMeant: (Notification) -> Bool) -> (unread: Int64, unseen: Int64) {
        let meant = notifications.filter(isMeant)
        notifications = notifications.map {
            guard isMeant($0) else { return $0 }
            return Notification(
                id: $0.id, content: $0.content, createdAt: $0.createdAt, rev: $0.rev, seq: $0.seq,
                isRead: isRead || $0.isRead, isSeen: true, place: $0.place)
        }
        return (Int64(meant.count { !$0.isRead }), Int64(meant.count { !$0.isSeen }))
    }
}
