extension Schema {
    /// What feeds know of their items, and how far people have looked.
    static let feedsTables = ""
}
