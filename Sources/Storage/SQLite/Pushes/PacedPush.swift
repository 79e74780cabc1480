import Inbox

/// A cancelled job that had a place in an hour of its kind.
struct PacedPush {
    struct Place: Hashable {
        /// What the jobs of its kind have in common.
        let foldKey: ExactText
        /// When it was to leave.
        let due: Timestamp
    }

    let notification: Int64
    let place: Place
    /// Whether it was handed out: its push may have left.
    let mayHaveLeft: Bool

    /// Nil for a job without a pace, and for one that was kept back, whose place is not known any more.
    /// - Parameter fold: what its row says; a job with a pace gets it when it is handed out for the first time.
    init?(_ job: PushTurns.Place, foldKey: String?, fold: Int64?) {
        guard let foldKey, !PushWriter.isHeldKey(foldKey) else { return nil }
        notification = job.notification
        place = Place(foldKey: ExactText(foldKey), due: job.availableAt)
        mayHaveLeft = fold != nil
    }
}
