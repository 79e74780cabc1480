/// What an ``Inbox`` shows at one moment. All of its parts belong together.
///
/// A value: it may go to any actor.
public struct InboxSnapshot: Sendable, Hashable {
    /// How the connection is.
    public internal(set) var status = InboxStatus.connecting
    /// Whether this is all that the server had at its last sign of life.
    public internal(set) var isSynced = false
    /// The server's count of unread notifications, less what commands that are under way change.
    public internal(set) var unread = 0
    /// Likewise of those that were not seen.
    public internal(set) var unseen = 0
    /// The newest notifications, the one that came last first.
    public internal(set) var items: [InboxNotification] = []
    /// Whether older ones can be loaded, by ``Inbox/more()``.
    public internal(set) var hasMore = false
    /// The number for the app's icon, by ``InboxOptions/badge``.
    public internal(set) var badge = 0

    /// Before anything is known.
    public init() {}
}

/// What the number on the app's icon counts. It must be what the catalog's `badge` says, or pushes and the app
/// disagree.
public enum BadgeRule: String, Sendable, Hashable {
    /// What was not read.
    case unread
    /// What was not seen in the list.
    case unseen
    /// 1 if there is anything unread, else 0.
    case boolean

    func badge(unread: Int, unseen: Int) -> Int {
        switch self {
        case .unread: unread
        case .unseen: unseen
        case .boolean: min(unread, 1)
        }
    }
}

/// Something that has happened. When it is told, ``Inbox/snapshot`` has what it is about.
///
/// A value: it may go to any actor.
public enum InboxChange: Sendable, Hashable {
    /// A notification that is new, also one that was missed while the client was away; once for each.
    case new(InboxNotification)
    /// It has grown, or a field has changed.
    case update(InboxNotification)
    /// The notifications with these ids have left the list.
    case gone([String])
    /// The list has begun anew: at first, and where too much was missed.
    case reset
    /// The person has changed what they want to be told: `rev`, `preferences`, `mutes`, `quietHours`, `snooze`.
    case preferences(JSONValue)
    /// The word of the status has changed.
    case status(InboxStatus)
}

/// A copy of the newest part of an inbox, for the app to keep: the next launch shows it at once and gets what came
/// since.
///
/// Codable; it holds texts of notifications, and is to be kept as safe as they are. A value: it may go to any actor.
public struct InboxArchive: Sendable, Hashable, Codable {
    let epoch: String
    let seq: Int64
    let unread: Int
    let unseen: Int
    let notifications: [InboxNotification]
    let hasMore: Bool
}
