/// The results of one step.
package struct SweepStep: Sendable {
    /// How many rows of each table go in one commit at most: a backlog must not hold up a publish.
    package static let rows = 500

    package var removed = 0
    /// Whether nothing is left to do for a while.
    package let isLast: Bool

    package init(removed: Int = 0, isLast: Bool) {
        (self.removed, self.isLast) = (removed, isLast)
    }
}
