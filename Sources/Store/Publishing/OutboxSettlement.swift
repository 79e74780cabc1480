/// What became of rows of the outbox, by their numbers.
package struct OutboxSettlement: Sendable, Hashable {
    /// A row that stays, and is not looked at again.
    package struct Refusal: Sendable, Hashable {
        package let row: Int64
        /// For the operator.
        package let reason: String

        package init(row: Int64, reason: String) { (self.row, self.reason) = (row, reason) }
    }

    /// A row that is tried again later.
    package struct Delay: Sendable, Hashable {
        package let row: Int64
        package let rest: Duration

        package init(row: Int64, rest: Duration) { (self.row, self.rest) = (row, rest) }
    }

    /// Their events are stored, so they can go.
    package var stored: [Int64] = []
    package var refused: [Refusal] = []
    package var delayed: [Delay] = []

    package init() {}

    /// Every row that it is about.
    package var rows: [Int64] { stored + refused.map(\.row) + delayed.map(\.row) }
}
