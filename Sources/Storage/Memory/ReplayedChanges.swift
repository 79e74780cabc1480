import Inbox

/// The last changes of one inbox, as a client that resumes is told of them: no `seq` is missing between, and each shows its
/// notification as it is after all of them.
struct ReplayedChanges: Sendable {
    private var changes: [InboxChange] = []
    /// What they take, as if they alone held their contents.
    private(set) var bytes = 0

    /// All after `seq`, if they are there and the last one is `head`.
    func changes(after seq: Int64, upTo head: Int64) -> [InboxChange]? {
        guard let first = changes.first, let last = changes.last, last.stamp.seq == head, seq >= first.stamp.seq - 1
        else { return nil }
        return Array(changes.suffix(Int(head - seq)))
    }

    /// Adds the next change; one that does not follow the last begins anew.
    mutating func append(_ change: InboxChange, maximumCount: Int) {
        if let last = changes.last, last.stamp.seq + 1 != change.stamp.seq { self = ReplayedChanges() }
        switch change.kind {
        case .new: break
        case .update(let notification):
            replace {
                $0.id == notification.id
            } by: { old, _ in
                // Its first change is still told as its coming.
                if case .new = old { .new(notification) } else { .update(notification) }
            }
        case .read(let selection):
            replace {
                selection.names($0)
            } by: {
                $0.showing($1.with(isRead: true))
            }
        case .seen(let seq):
            replace {
                $0.seq <= seq
            } by: {
                $0.showing($1.with(isRead: $1.isRead))
            }
        case .removed(let selection):
            replace {
                selection.names($0)
            } by: {
                .removed(.ids([$1.id]))
            }
        }
        changes.append(change)
        bytes += change.bytes
        if changes.count > maximumCount {
            // Half of them at once: each time the rest moves up.
            for dropped in changes.prefix(maximumCount / 2) { bytes -= dropped.bytes }
            changes.removeFirst(maximumCount / 2)
        }
    }

    /// Replaces the changes that show such a notification.
    private mutating func replace(
        where isMeant: (Notification) -> Bool,
        by replacement: (InboxChange.Kind, Notification) -> InboxChange.Kind
    ) {
        for index in changes.indices {
            guard let notification = changes[index].notification, isMeant(notification) else { continue }
            bytes -= changes[index].bytes
            changes[index] = InboxChange(
                stamp: changes[index].stamp, kind: replacement(changes[index].kind, notification))
            bytes += changes[index].bytes
        }
    }
}

extension InboxChange {
    /// What it shows; nil for one that only names notifications.
    fileprivate var notification: Notification? {
        switch kind {
        case .new(let notification), .update(let notification): notification
        case .read, .seen, .removed: nil
        }
    }

    /// What it takes, roughly: itself with its place in a table, and what it points to.
    fileprivate var bytes: Int {
        let own = 160
        switch kind {
        case .new(let notification), .update(let notification):
            return own + notification.content.body.count + notification.content.displayText.utf8.count
        case .read(.ids(let ids)), .removed(.ids(let ids)): return own + 16 * ids.count
        case .read(.upTo), .removed(.upTo), .seen: return own
        }
    }
}

extension InboxChange.Kind {
    fileprivate func showing(_ notification: Notification) -> Self {
        if case .new = self { .new(notification) } else { .update(notification) }
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
    /// The same, looked at: what is read counts as seen, too.
    fileprivate func with(isRead: Bool) -> Notification {
        Notification(
            id: id, content: content, createdAt: createdAt, rev: rev, seq: seq, isRead: isRead, isSeen: true)
    }
}
