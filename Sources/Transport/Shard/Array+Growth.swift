extension Array {
    /// Makes room for `count` elements and an eighth more. Appending alone would double the room, and half of an array
    /// with an element for each connection would lie unused.
    mutating func reserve(_ count: Int) {
        if count > capacity { reserveCapacity(Swift.max(64, count + count / 8)) }
    }
}
