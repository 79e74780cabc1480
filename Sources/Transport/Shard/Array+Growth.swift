extension Array {
    /// Makes room for `count` elements, if there is not, and an eighth more, where appending alone would double the
    /// room: of what each connection has an element in, half should not lie unused.
    mutating func reserve(_ count: Int) {
        if count > capacity { reserveCapacity(Swift.max(64, count + count / 8)) }
    }
}
