package import Inbox
import Store

/// Removes the lowest notifications of an inbox's list: those that are too old, and those beyond its maximum.
package struct TrimWriter {
    package let open: OpenTransaction
    package let now: Timestamp

    /// By how much an inbox may exceed its maximum before the excess goes, all at once. Removing one with each newcomer
    /// would be a second change each time.
    package static func slack(ofMaximum maximum: Int64) -> Int64 { max(1, min(100, maximum / 10)) }

    /// Removes at most `limit` notifications, and returns how many it removed.
    package func trim(_ user: UserID, olderThan time: Timestamp?, limit: Int) throws -> Int {
        guard let inbox = try open.knownInbox(of: user) else { return 0 }
        let maximum = open.options.maximumRows
        let excess = maximum > 0 ? max(0, inbox.state.total - maximum) : 0
        var ids: [NotificationID] = []
        for row in try open.notifications.lowest(inbox: inbox.id, limit: limit) {
            // Rows come in the list's order, lowest first: by arrival, or by coming up again. Where one stays, all
            // above it stay.
            let isTooOld = time.map { row.storedAt < $0 } ?? false
            guard isTooOld || Int64(ids.count) < excess else { break }
            ids.append(NotificationID(inbox: inbox.id, sequence: row.id))
        }
        if ids.isEmpty { return 0 }
        return Int(try CommandWriter(open: open, now: now).apply(.remove(.ids(ids)), for: user).count)
    }

    package init(open: OpenTransaction, now: Timestamp) {
        (self.open, self.now) = (open, now)
    }
}
