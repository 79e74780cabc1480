/// Decides which connections are judged again after keys have changed: all of a shard's, one page of descriptors at a
/// time. The shard's other work goes on meanwhile.
struct JudgingRound {
    /// The next page; nil while no round is under way.
    private var next: Int?

    /// Begins with the first page, even during a round: earlier pages were judged by the old keys.
    ///
    /// - Returns: whether the caller has to start the steps.
    mutating func begin() -> Bool {
        defer { next = 0 }
        return next == nil
    }

    /// Returns the next page; nil at the end of the round.
    ///
    /// - Parameter pageCount: how many pages there are now. New connections are judged by the new keys anyway, wherever
    ///   their descriptors are.
    mutating func step(of pageCount: Int) -> Int? {
        guard let page = next, page < pageCount else {
            next = nil
            return nil
        }
        next = page + 1
        return page
    }
}
