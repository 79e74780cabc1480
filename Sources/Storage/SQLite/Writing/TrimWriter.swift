import Inbox

/// Removes the oldest notifications of an inbox: those that are too old, or more than it may hold.
struct TrimWriter {
    let open: OpenTransaction
    let now: Timestamp

    /// How many more than it may hold an inbox takes before the oldest go, all of these at once: removing one with each
    /// that comes would be a second change each time.
    static func slack(ofMaximum maximum: Int64) -> Int64 { max(1, min(100, maximum / 10)) }

    /// At most `limit` notifications; tells how many went.
    func trim(_ user: UserID, olderThan time: Timestamp?, limit: Int) throws -> Int {
        guard let inbox = try open.knownInbox(of: user) else { return 0 }
        let maximum = open.options.maximumRows
        let excess = maximum > 0 ? max(0, inbox.state.total - maximum) : 0
        var ids: [NotificationID] = []
        for row in try open.erasures.agedNotifications(inbox: inbox.id, limit: limit) {
            // Their own order is that of their coming; where one is to stay, all behind it stay.
            let isTooOld = time.map { row.storedAt < $0 } ?? false
            guard isTooOld || Int64(ids.count) < excess else { break }
            ids.append(NotificationID(inbox: inbox.id, sequence: row.id))
        }
        if ids.isEmpty { return 0 }
        return Int(try CommandWriter(open: open, now: now).apply(.remove(.ids(ids)), for: user).count)
    }
}
