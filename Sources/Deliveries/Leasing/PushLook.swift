/// What a look for due jobs has found.
package struct PushLook {
    /// Leases that are over. They alone know the pushes that were to follow, which are to be queued before the next look.
    package var ended: [PushLeases.Lease] = []
    /// In the order in which they are to leave.
    package var jobs: [PushJobRow] = []
    /// How many other rows were looked at.
    package var looked = 0
    /// Whether nothing else is due, unless one of the jobs is passed over.
    package var isLast = false

    package init() {}
}
