import Inbox
import Store
import Transport

/// One session in one feed's roster.
///
/// Small on purpose, 64 bytes with malloc's own, as most sessions have one. Holds the WebSocket instead of the session:
/// a fan-out to ten thousand then counts no references on its way.
final class FeedMembership {
    private static let nowhere = UInt32.max

    let roster: FeedRoster
    let webSocket: WebSocketConnection
    /// Nil for all items of an open feed.
    private let terms: FeedTerms?
    var subscription: FeedSubscription { didSet { roster.note(self) } }
    private var place = nowhere

    /// - Parameter tags: empty for all items.
    init(
        roster: FeedRoster, webSocket: WebSocketConnection, subscription: FeedSubscription, tags: [String],
        pass: FeedPass
    ) {
        self.roster = roster
        self.webSocket = webSocket
        self.subscription = subscription
        terms = FeedTerms(tags: tags, pass: pass)
    }

    var pass: FeedPass { terms?.pass ?? .open }

    /// Its index in the roster, set by the roster; nil outside of one.
    var index: Int? {
        get { place == Self.nowhere ? nil : Int(place) }
        set { place = newValue.map { UInt32($0) } ?? Self.nowhere }
    }

    /// - Parameter feed: its key.
    func isOf(_ feed: String) -> Bool { ExactText(roster.feed) == ExactText(feed) }

    /// Whether the subscriber wants an item with these tags.
    func wants(_ itemTags: [String]) -> Bool { terms?.wants(itemTags) ?? true }

    /// Whether every item behind `offset` is to be sent as it comes, as long as the reader takes them.
    func isInStep(after offset: Int64) -> Bool { terms?.wantsAll ?? true && subscription.isInStep(after: offset) }

    /// - Parameter maximumQueuedBytes: with so many waiting bytes, a reader has enough.
    /// - Returns: whether the frame was sent now. Not counted here: one addition is enough for a whole fan-out.
    func deliver(
        _ offset: Int64, _ frame: OutgoingMessage, maximumQueuedBytes: Int, _ on: borrowing OnShard
    ) -> Bool {
        let isDue = subscription.deliver(
            offset: offset, frame: frame, queuedBytes: webSocket.refusedBytes, maximumQueuedBytes: maximumQueuedBytes)
        if isDue { webSocket.send(frame, on) }
        return isDue
    }
}
