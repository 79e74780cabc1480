/// The options of an ``Inbox``, beside its address and tokens.
public struct InboxOptions: Sendable {
    /// The rule for the icon's number; must match the catalog's `badge`.
    public var badge = BadgeRule.unread
    /// Whether somebody looks at the start; ``Inbox/setAttention(_:)`` changes it later.
    public var isLookedAt = false
    /// The archive of an earlier launch, for the same person: ``Inbox/archive``.
    public var archive: InboxArchive?
    /// Opens WebSockets.
    public var transport: any LiveTransport = URLSessionTransport()
    /// Sends requests.
    public var http: HTTPExchange = HTTPCall.foundation
    /// The source of time and chance.
    public var clock = InboxClock.system

    /// The defaults, which are right for an app on Apple's systems.
    public init() {}
}
