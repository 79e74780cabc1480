import Inbox
import Storage
import Transport

/// One session in one feed's roster.
///
/// Holds the WebSocket itself and not the session: a fan-out then counts no references on its way to ten thousand.
final class FeedMembership {
    let roster: FeedRoster
    let webSocket: WebSocketConnection
    var subscription: FeedSubscription { didSet { roster.note(self) } }
    /// Tells this subscription from an earlier one of the same session to the same feed.
    let number: Int
    /// Only items with one of these are told; nil: all.
    private let tags: Set<ExactText>?
    let pass: FeedPass
    /// Its place in the roster, which the roster keeps; nil while it is in none.
    var index: Int?

    /// - Parameter tags: empty for all items.
    init(
        roster: FeedRoster, webSocket: WebSocketConnection, subscription: FeedSubscription, number: Int,
        tags: [String], pass: FeedPass
    ) {
        self.roster = roster
        self.webSocket = webSocket
        self.subscription = subscription
        self.number = number
        self.tags = tags.isEmpty ? nil : Set(tags.map { ExactText($0) })
        self.pass = pass
    }

    func isOf(_ feed: String) -> Bool { ExactText(roster.feed) == ExactText(feed) }

    /// Whether an item with these tags is asked for.
    func wants(_ itemTags: [String]) -> Bool {
        guard let tags else { return true }
        return itemTags.contains { tags.contains(ExactText($0)) }
    }

    /// Whether every item behind `offset` is to be sent as it comes, as long as the reader takes what it gets.
    func isInStep(after offset: Int64) -> Bool { tags == nil && subscription.isInStep(after: offset) }

    /// - Returns: whether the frame was sent now. Not counted here: one addition is enough for a whole fan-out.
    func deliver(_ offset: Int64, _ frame: OutgoingMessage, _ on: borrowing OnShard) -> Bool {
        let isDue = subscription.deliver(offset: offset, frame: frame, queuedBytes: webSocket.refusedBytes)
        if isDue { webSocket.send(frame, on) }
        return isDue
    }
}
