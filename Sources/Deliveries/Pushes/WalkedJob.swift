import Inbox

/// A job that the walk has come to.
package struct WalkedJob {
    package let place: PushTurns.Place
    /// Nil for a job that uses more columns than the walk reads.
    package let row: PushJobRow?

    package init(place: PushTurns.Place, row: PushJobRow?) {
        (self.place, self.row) = (place, row)
    }
}
