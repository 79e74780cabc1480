/// What has come to a notification since its person last saw it: once all of that is taken back, they have seen what is
/// left.
struct FreshContent: Hashable {
    /// How many events; 0 for a notification that was never seen, or did not grow since.
    private(set) var count: Int64 = 0
    /// The first of them by their ids, which stand in the order of time.
    private(set) var from: String?

    init() {}
    init(count: Int64, from: String?) { (self.count, self.from) = (count, from) }

    mutating func grow(by event: String, wasSeen: Bool) {
        if wasSeen {
            (count, from) = (1, event)
        } else if count > 0 {
            (count, from) = (count + 1, from.map { min($0, event) })
        }
    }

    /// - Returns: whether with this event the last of it has gone.
    mutating func lose(_ event: String) -> Bool {
        guard count > 0, let from, event >= from else { return false }
        count -= 1
        return count == 0
    }
}
