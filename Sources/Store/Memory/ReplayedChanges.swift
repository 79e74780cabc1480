import Inbox

/// Changes of one inbox as a resuming client gets them: each shows its notification as it is after all of them.
struct ReplayedChanges: Sendable {
    private(set) var changes: [InboxChange] = []

    /// - Parameter committed: all changes after the client's position, in order. Earlier ones are not told, so they
    ///   need not be known.
    init(_ committed: [InboxChange]) {
        changes.reserveCapacity(committed.count)
        for change in committed { append(change) }
    }

    private mutating func append(_ change: InboxChange) {
        switch change.kind {
        case .new: break
        case .update(let notification):
            replace {
                $0.id == notification.id
            } by: { old, _ in
                // The notification's first change is still told as its arrival.
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
    }

    /// Replaces the changes that show such a notification.
    private mutating func replace(
        where isMeant: (Notification) -> Bool,
        by replacement: (InboxChange.Kind, Notification) -> InboxChange.Kind
    ) {
        for index in changes.indices {
            guard let notification = changes[index].kind.notification, isMeant(notification) else { continue }
            changes[index] = InboxChange(
                stamp: changes[index].stamp, kind: replacement(changes[index].kind, notification))
        }
    }
}

extension InboxChange.Kind {
    /// The notification that it shows; nil if it only names some.
    var notification: Notification? {
        switch self {
        case .new(let notification), .update(let notification): notification
        case .read, .seen, .removed: nil
        }
    }

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
    /// The same notification, marked as seen: a read one counts as seen, too.
    fileprivate func with(isRead: Bool) -> Notification {
        Notification(
            id: id, content: content, createdAt: createdAt, rev: rev, seq: seq, isRead: isRead, isSeen: true,
            place: place)
    }
}
