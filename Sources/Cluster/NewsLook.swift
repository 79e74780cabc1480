/// A look at the database, for how far inboxes and feeds have come.
struct NewsLook: Sendable {
    /// In the order in which looks begin.
    let number: Int
    /// Whether another node has said to look.
    let isTold: Bool
}
