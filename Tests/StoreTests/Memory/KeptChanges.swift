import Inbox

@testable import SQLiteStore
@testable import Store

/// The plain way to what ``RecentChanges`` and ``ReplayedChanges`` tell: all changes of one inbox are kept, and each
/// new one changes those before it at once.
struct KeptChanges {
    private var changes: [InboxChange] = []

    /// All after `seq`, which the first of them must follow.
    func changes(after seq: Int64) -> [InboxChange] { changes.filter { $0.stamp.seq > seq } }

    mutating func append(_ change: InboxChange) {
        changes = changes.map { InboxChange(stamp: $0.stamp, kind: Self.kind(of: $0, after: change.kind)) } + [change]
    }

    private static func kind(of old: InboxChange, after change: InboxChange.Kind) -> InboxChange.Kind {
        let shown: Notification
        let show: (Notification) -> InboxChange.Kind
        switch old.kind {
        case .new(let notification): (shown, show) = (notification, { .new($0) })
        case .update(let notification): (shown, show) = (notification, { .update($0) })
        case .read, .seen, .removed: return old.kind
        }
        switch change {
        case .update(let notification) where notification.id == shown.id: return show(notification)
        case .read(let selection) where selection.names(shown): return show(shown.looked(isRead: true))
        case .seen(let seq) where shown.seq <= seq: return show(shown.looked(isRead: shown.isRead))
        case .removed(let selection) where selection.names(shown): return .removed(.ids([shown.id]))
        case .new, .update, .read, .seen, .removed: return old.kind
        }
    }
}

extension InboxChange.Selection {
    fileprivate func names(_ notification: Notification) -> Bool {
        switch self {
        case .ids(let ids): ids.contains(notification.id)
        case .upTo(let seq): notification.seq <= seq
        }
    }
}

extension Notification {
    fileprivate func looked(isRead: Bool) -> Notification {
        Notification(id: id, content: content, createdAt: createdAt, rev: rev, seq: seq, isRead: isRead, isSeen: true)
    }
}
