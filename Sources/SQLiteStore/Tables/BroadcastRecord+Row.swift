import Deliveries
import Inbox
import Store

extension BroadcastRecord {
    static let columns = """
        id, event, publisher, key, json, everybody, after_inbox, last_inbox, total, created, updated, suppressed,
        accepted_at, ended_at, problem
        """

    /// - Parameter row: the ``columns``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        let id = row.count(0)
        let (publisher, key) = (row.text(2), row.optionalText(3))
        let json = row.optionalBytes(4)
        let everybody = row.optionalText(5)
        let (afterInbox, lastInbox) = (row.count(6), row.count(7))
        let endedAt = row.optionalTime(13)
        let state: Broadcast.State =
            if let problem = row.optionalText(14) { .abandoned(problem) } else { endedAt == nil ? .working : .done }
        let broadcast = Broadcast(
            event: row.text(1), publisher: publisher, state: state, isForEverybody: everybody != nil,
            total: Int(row.count(8)),
            created: Int(row.count(9)), updated: Int(row.count(10)), suppressed: Int(row.count(11)),
            acceptedAt: row.time(12), endedAt: endedAt)
        self.init(
            id: id, broadcast: broadcast, publisher: publisher, key: key, json: json, everybody: everybody,
            afterInbox: afterInbox, lastInbox: lastInbox, isDamaged: row.isDamaged)
    }
}
