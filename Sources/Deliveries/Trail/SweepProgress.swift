package import Inbox

/// How far the sweep has come, from one transaction to the next.
package struct SweepProgress: Sendable {
    /// When the sweep goes on.
    package var next = Timestamp(milliseconds: 0)
    /// The last row that this round has looked at.
    package var place = TrailPlace(event: "", page: 0)
    package var roundBegan = Timestamp(milliseconds: 0)

    package init(
        next: Timestamp = Timestamp(milliseconds: 0), place: TrailPlace = TrailPlace(event: "", page: 0),
        roundBegan: Timestamp = Timestamp(milliseconds: 0)
    ) {
        (self.next, self.place, self.roundBegan) = (next, place, roundBegan)
    }
}
