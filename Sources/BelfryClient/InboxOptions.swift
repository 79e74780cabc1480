/// What an ``Inbox`` is opened with, beside its address and tokens.
public struct InboxOptions: Sendable {
    /// What the number for the icon counts: as the catalog's `badge` says.
    public var badge = BadgeRule.unread
    /// Whether somebody looks at the beginning; ``Inbox/setAttention(_:)`` tells later.
    public var isLookedAt = false
    /// What an earlier launch has kept, of the same person: ``Inbox/archive``.
    public var archive: InboxArchive?
    /// What opens WebSockets.
    public var transport: any LiveTransport = URLSessionTransport()
    /// What sends requests.
    public var http: HTTPExchange = HTTPCall.foundation
    /// Time and chance.
    public var clock = InboxClock.system

    /// The defaults, which are right for an app on Apple's systems.
    public init() {}
}
