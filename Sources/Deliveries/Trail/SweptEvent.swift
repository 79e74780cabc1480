package import Inbox

/// A row of an event, as the sweep looks at it.
package struct SweptEvent {
    package let place: TrailPlace
    package let acceptedAt: Timestamp
    /// Whether the event has a key, by which it may be taken back.
    package let isKeyed: Bool
    /// Whether the row holds the key's use.
    package let hasUse: Bool
    /// Whether its publisher has taken back the event.
    package let isRetracted: Bool

    package init(place: TrailPlace, acceptedAt: Timestamp, isKeyed: Bool, hasUse: Bool, isRetracted: Bool) {
        (self.place, self.acceptedAt) = (place, acceptedAt)
        (self.isKeyed, self.hasUse, self.isRetracted) = (isKeyed, hasUse, isRetracted)
    }
}
