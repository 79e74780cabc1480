extension Schema {
    /// Events that are delivered page by page.
    static let broadcastsTables = ""
}
