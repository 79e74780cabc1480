package import Inbox

/// A held job.
package struct HeldPush {
    package let place: PushTurns.Place
    /// When it would have left.
    package let from: Timestamp

    package init(place: PushTurns.Place, from: Timestamp) {
        (self.place, self.from) = (place, from)
    }
}
