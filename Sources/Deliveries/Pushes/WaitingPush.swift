package import Inbox

/// A push that waits in the queue, as a moved clock asks for it.
package struct WaitingPush {
    package let place: PushTurns.Place
    package let expiry: Timestamp
    /// The publisher's end: the push is worth nothing after it.
    package let deadline: Timestamp?
    /// Whether it waits for a time of the calendar.
    package let isDated: Bool
    /// Whether an acknowledgement cancels it.
    package let isFallback: Bool

    package init(place: PushTurns.Place, expiry: Timestamp, deadline: Timestamp?, isDated: Bool, isFallback: Bool) {
        self.place = place
        self.expiry = expiry
        self.deadline = deadline
        self.isDated = isDated
        self.isFallback = isFallback
    }
}
