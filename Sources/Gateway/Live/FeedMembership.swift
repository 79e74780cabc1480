import Inbox
import Transport

/// One session in one feed's roster, with all that a delivery touches.
///
/// Holds the WebSocket itself and not the session: a fan-out then counts no references on its way to ten thousand.
final class FeedMembership {
    let roster: FeedRoster
    private let webSocket: WebSocketConnection
    var subscription: FeedSubscription
    /// Tells this subscription from an earlier one of the same session to the same feed.
    let number: Int
    /// Its place in the roster, which the roster keeps.
    var index = 0

    init(roster: FeedRoster, webSocket: WebSocketConnection, subscription: FeedSubscription, number: Int) {
        self.roster = roster
        self.webSocket = webSocket
        self.subscription = subscription
        self.number = number
    }

    func isOf(_ feed: String) -> Bool { ExactText(roster.feed) == ExactText(feed) }

    /// - Returns: whether the frame was sent now. Not counted here: one addition is enough for a whole fan-out.
    func deliver(_ offset: Int64, _ frame: OutgoingMessage, _ on: borrowing OnShard) -> Bool {
        let isDue = subscription.deliver(offset: offset, frame: frame, queuedBytes: webSocket.refusedBytes)
        if isDue { webSocket.send(frame, on) }
        return isDue
    }
}
