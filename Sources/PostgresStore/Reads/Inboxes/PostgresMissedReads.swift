import Deliveries
import Inbox
import Postgres
import Store

/// What many inboxes have got since their places, read together: four questions in place of four for each inbox.
struct PostgresMissedReads: InboxReads {
    private typealias Logged = (stamp: ChangeStamp, change: LoggedChange)

    private let reads: PostgresInboxReads
    private let records: [UserID: InboxRecord]
    /// By inbox.
    private let arrived: [Int64: [NotificationRecord]]
    private let logged: [Int64: [Logged]]
    /// By their numbers; nil for damaged ones.
    private let contents: [Int64: Content?]

    /// - Parameter places: the `seq` behind which each person's news are wanted.
    init(_ reads: PostgresInboxReads, after places: [UserID: Int64]) throws {
        self.reads = reads
        records = try reads.records(of: Array(places.keys))
        let inboxes = records.map { user, record in (record.id, places[user] ?? 0) }
        arrived = try Self.arrived(inboxes, reads.rows.connection)
        logged = try Self.logged(inboxes, reads.rows.connection)
        contents = try reads.contents(arrived.values.joined().map(\.contentID))
    }

    private static let arrivedQuery = PostgresStatement(
        composed: """
            SELECT \(NotificationRecord.columns(of: "notification")), notification.inbox
            FROM unnest($1, $2) AS asked (inbox, seq)
            JOIN notification ON notification.inbox = asked.inbox AND notification.id > asked.seq
            """)

    private static func arrived(
        _ inboxes: [(id: Int64, seq: Int64)], _ connection: PostgresConnection
    ) throws -> [Int64: [NotificationRecord]] {
        var arrived: [Int64: [NotificationRecord]] = [:]
        let asked = [PostgresValue.int64s(inboxes.map(\.id)), .int64s(inboxes.map(\.seq))]
        for row in try connection.run(arrivedQuery, asked) {
            arrived[try row.int64(NotificationRecord.columnCount), default: []].append(try NotificationRecord(row))
        }
        return arrived
    }

    private static func logged(
        _ inboxes: [(id: Int64, seq: Int64)], _ connection: PostgresConnection
    ) throws -> [Int64: [Logged]] {
        var logged: [Int64: [Logged]] = [:]
        let rows = try connection.run(
            """
            SELECT change.seq, unread, unseen, delta, kind, reference, place, ids, change.inbox
            FROM unnest($1, $2) AS asked (inbox, seq)
            JOIN change ON change.inbox = asked.inbox AND change.seq > asked.seq
            """, [.int64s(inboxes.map(\.id)), .int64s(inboxes.map(\.seq))])
        for row in rows {
            let inbox = try row.int64(8)
            if let change = try PostgresInboxReads.change(row, inbox: inbox) {
                logged[inbox, default: []].append(change)
            }
        }
        return logged
    }

    // MARK: What was read

    func record(of user: UserID) -> InboxRecord? { records[user] }

    func rows(after seq: Int64, inbox: Int64) -> [NotificationRecord] { arrived[inbox, default: []] }

    func changes(after seq: Int64, inbox: Int64) -> [(stamp: ChangeStamp, change: LoggedChange)] {
        logged[inbox, default: []]
    }

    func notifications(_ rows: [NotificationRecord], of inbox: InboxRecord) throws -> [Notification?] {
        // Those that have grown are older.
        guard rows.allSatisfy({ contents[$0.contentID] != nil }) else {
            return try reads.notifications(rows, of: inbox)
        }
        return PostgresInboxReads.notifications(rows, contents, of: inbox)
    }

    // MARK: What was not

    func rows(_ ids: [Int64], inbox: Int64) throws -> [NotificationRecord] { try reads.rows(ids, inbox: inbox) }

    func list(_ filter: NotificationFilter, inbox: Int64) -> any ListReads { reads.list(filter, inbox: inbox) }

    func crowded(
        after inbox: Int64, limit: Int, olderThan time: Timestamp?, maximumRows: Int64
    ) throws -> CrowdedInboxes {
        try reads.crowded(after: inbox, limit: limit, olderThan: time, maximumRows: maximumRows)
    }
}
