/// A store that gets new epochs after it was put back to an earlier moment, while nobody else uses it.
///
/// Its calls block the thread that made it.
package protocol EpochRenewal {
    /// Gives each inbox and each feed a new epoch. Clients may have seen more than the store has: they must start anew to
    /// miss nothing that gets the same numbers again. Inboxes continue at unused numbers, as a notification's id also
    /// stands in places without an epoch.
    ///
    /// No server opens the store between the first change and the last one. If it is interrupted, the next call continues.
    ///
    /// - Parameter progress: gets how many inboxes and feeds are done.
    func renewEpochs(_ progress: (Int64) throws -> Void) throws -> RenewedEpochs
}

/// How many have got new epochs.
package struct RenewedEpochs: Sendable, Hashable {
    package let inboxes: Int64
    package let feeds: Int64

    /// By how much inboxes' numbers go on: more than the notifications that one gets between backup and restore, and few
    /// enough for thousands of restores.
    package static let skippedNumbers = 1_000_000

    package init(inboxes: Int64, feeds: Int64) { (self.inboxes, self.feeds) = (inboxes, feeds) }
}
