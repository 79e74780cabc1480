/// Whose turn it is to be judged again once keys or catalogs are others: all of a shard's connections, a page of
/// descriptors at a time, so that what else the shard does gets its turn in between.
struct JudgingRound {
    /// The page that is next; nil while no round is under way.
    private var next: Int?

    /// Begins with the first page, also where a round is under way: those who had their turn were judged by what held
    /// before.
    ///
    /// - Returns: whether nobody takes the steps yet.
    mutating func begin() -> Bool {
        defer { next = 0 }
        return next == nil
    }

    /// The page whose turn it is; nil at the end of the round.
    ///
    /// - Parameter pageCount: how many pages there are now. Whoever comes meanwhile is judged by what holds now,
    ///   wherever its descriptor is.
    mutating func step(of pageCount: Int) -> Int? {
        guard let page = next, page < pageCount else {
            next = nil
            return nil
        }
        next = page + 1
        return page
    }
}
