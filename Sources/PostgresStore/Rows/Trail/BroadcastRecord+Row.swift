import Deliveries
import Inbox
import Postgres
import Store

extension BroadcastRecord {
    static let columns = """
        id, event, publisher, key, json, everybody, after_inbox, last_inbox, total, created, updated, suppressed,
        accepted_at, ended_at, problem
        """

    /// - Parameter row: the ``columns``.
    init(_ row: PostgresRow) throws {
        let everybody = try row.textOrNil(5)
        let endedAt = try row.int64OrNil(13).map(Timestamp.init(milliseconds:))
        let state: Broadcast.State =
            if let problem = try row.textOrNil(14) { .abandoned(problem) } else { endedAt == nil ? .working : .done }
        let publisher = try row.text(2)
        let broadcast = Broadcast(
            event: try row.text(1), publisher: publisher, state: state, isForEverybody: everybody != nil,
            total: Int(try row.int64(8)), created: Int(try row.int64(9)), updated: Int(try row.int64(10)),
            suppressed: Int(try row.int64(11)), acceptedAt: Timestamp(milliseconds: try row.int64(12)),
            endedAt: endedAt)
        self.init(
            id: try row.int64(0), broadcast: broadcast, publisher: publisher, key: try row.textOrNil(3),
            json: try row.bytesOrNil(4), everybody: everybody, afterInbox: try row.int64(6),
            lastInbox: try row.int64(7), isDamaged: false)
    }
}
