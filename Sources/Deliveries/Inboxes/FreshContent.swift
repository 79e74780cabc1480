/// The events that a notification took in since its person last saw it. Once all of them are taken back, the person has
/// seen the rest.
package struct FreshContent: Hashable {
    /// How many events; 0 for a notification that was never seen, or has not grown since.
    package private(set) var count: Int64 = 0
    /// The lowest id of these events; ids are in the order of time.
    package private(set) var from: String?

    package init() {}
    package init(count: Int64, from: String?) { (self.count, self.from) = (count, from) }

    package mutating func grow(by event: String, wasSeen: Bool) {
        if wasSeen {
            (count, from) = (1, event)
        } else if count > 0 {
            (count, from) = (count + 1, from.map { min($0, event) })
        }
    }

    /// - Returns: whether this event was the last of them.
    package mutating func lose(_ event: String) -> Bool {
        guard count > 0, let from, event >= from else { return false }
        count -= 1
        return count == 0
    }
}
