/// Figures of the outbox for its operator.
package struct OutboxFigures: Sendable, Hashable {
    /// The rows that wait to be published, up to a million.
    package var waiting: Int64
    /// How long the first of them has been there; zero without any.
    package var oldest: Duration
    /// The rows that were refused and stay, up to a million.
    package var refused: Int64

    package init(waiting: Int64, oldest: Duration, refused: Int64) {
        (self.waiting, self.oldest, self.refused) = (waiting, oldest, refused)
    }
}
