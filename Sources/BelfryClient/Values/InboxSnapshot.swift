/// The state of an ``Inbox`` at one moment. All its parts belong together.
///
/// A value: it may go to any actor.
public struct InboxSnapshot: Sendable, Hashable {
    /// The state of the connection.
    public internal(set) var status = InboxStatus.connecting
    /// Whether this is everything that the server had at its last sign of life.
    public internal(set) var isSynced = false
    /// The server's count of unread notifications, with the effects of commands under way.
    public internal(set) var unread = 0
    /// The server's count of unseen notifications, with the effects of commands under way.
    public internal(set) var unseen = 0
    /// The newest notifications; the latest comes first.
    public internal(set) var items: [InboxNotification] = []
    /// Whether ``Inbox/more()`` can load older ones.
    public internal(set) var hasMore = false
    /// The number for the app's icon, by ``InboxOptions/badge``.
    public internal(set) var badge = 0

    /// The state before any data has come.
    public init() {}
}

/// The rule for the number on the app's icon. It must match the catalog's `badge`, or pushes and the app disagree.
public enum BadgeRule: String, Sendable, Hashable {
    /// Unread notifications.
    case unread
    /// Notifications that were not seen in the list.
    case unseen
    /// 1 while anything is unread, else 0.
    case boolean

    func badge(unread: Int, unseen: Int) -> Int {
        switch self {
        case .unread: unread
        case .unseen: unseen
        case .boolean: min(unread, 1)
        }
    }
}

/// A change of the inbox. ``Inbox/snapshot`` has it already when it is reported.
///
/// A value: it may go to any actor.
public enum InboxChange: Sendable, Hashable {
    /// A new notification, even one that came while the client was away; reported once for each.
    case new(InboxNotification)
    /// The notification has grown, or a field has changed.
    case update(InboxNotification)
    /// The notifications with these ids have left the list.
    case gone([String])
    /// The list starts over: at first, and after too much was missed.
    case reset
    /// The person's preferences have changed: `rev`, `preferences`, `mutes`, `quietHours`, `snooze`.
    case preferences(JSONValue)
    /// The status has another ``InboxStatus/word``.
    case status(InboxStatus)
}

/// A copy of the newest part of an inbox, for the app to keep. The next launch shows it at once, and then fetches later
/// changes.
///
/// Codable. It holds texts of notifications, and must be kept as safe as they are. A value: it may go to any actor.
public struct InboxArchive: Sendable, Hashable, Codable {
    let epoch: String
    let seq: Int64
    let unread: Int
    let unseen: Int
    let notifications: [InboxNotification]
    let hasMore: Bool
}
