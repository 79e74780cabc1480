/// A page of the list in REST's form.
struct InboxPage {
    let epoch: String
    let seq: Int64
    let unread: Int
    let unseen: Int
    let rows: [InboxNotification]
    /// Whether older notifications follow it.
    let hasNext: Bool

    /// Nil for an answer that is no page.
    init?(_ body: JSONValue) {
        guard let rows = body["data"]?.array, let meta = body["meta"], let epoch = meta["epoch"]?.string,
            let seq = meta["seq"]?.sequence
        else { return nil }
        self.epoch = epoch
        self.seq = seq
        unread = meta["unread"]?.count ?? 0
        unseen = meta["unseen"]?.count ?? 0
        self.rows = rows.compactMap(InboxNotification.init)
        hasNext = meta["next"].map { $0 != .null } ?? false
    }

    /// The page in a `reset` frame: with fewer rows than the server puts into a frame, no older ones follow.
    init?(reset frame: ServerFrame) {
        guard let epoch = frame.epoch, let seq = frame.seq else { return nil }
        self.epoch = epoch
        self.seq = seq
        unread = frame.unread ?? 0
        unseen = frame.unseen ?? 0
        rows = frame["notifications"]?.array?.compactMap(InboxNotification.init) ?? []
        hasNext = rows.count >= Self.resetLength
    }

    private static let resetLength = 20
}
