import Deliveries
import GRDB
import Inbox
import Store

/// Reads one inbox, all as of the snapshot that `db` is in.
struct InboxReader {
    let db: Database
    private let contents: ContentReader
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ cache: ContentCache, _ damage: DamageWatch) throws {
        (self.db, self.damage) = (db, damage)
        contents = try ContentReader(db, cache)
    }

    func record(of user: UserID) throws -> InboxRecord? {
        let record = try db.cachedStatement(sql: InboxRecord.query).first([user.rawValue], InboxRecord.init)
        if let record, record.isDamaged { damage.leaveOut(DamagedRow(table: "inbox", key: "\(record.id)")) }
        return record
    }

    // MARK: Notifications

    /// Leaves out notifications with a damaged row or content.
    func notifications(_ rows: some Sequence<NotificationRecord>, of inbox: InboxRecord) throws -> [Notification] {
        try rows.compactMap { try notification($0, of: inbox) }
    }

    /// Nil for a damaged one.
    func notification(_ row: NotificationRecord, of inbox: InboxRecord) throws -> Notification? {
        try damage.sound(DamagedRow(table: "notification", key: "\(inbox.id), \(row.id)")) {
            if row.isDamaged { throw DamagedRow(table: "notification", key: "\(inbox.id), \(row.id)") }
            return row.notification(inbox: inbox.id, try contents.content(row.contentID))
        }
    }

    // MARK: Resuming

    /// - Parameter changeLogLength: how many changes a client may have missed.
    func recovery(
        of inbox: InboxRecord, from position: InboxPosition?, changeLogLength: Int64, firstPageLength: Int
    ) throws -> Recovery {
        let state = inbox.state
        // A client without a position begins with a page of its own.
        guard let position else { return Recovery(state: state, result: .changes([])) }
        if position.epoch == state.epoch, (0...state.seq).contains(position.seq),
            state.seq - position.seq <= changeLogLength, let changes = try changes(of: inbox, after: position.seq)
        {
            return Recovery(state: state, result: .changes(changes))
        }
        let query = PageQuery(start: .offset(0), limit: firstPageLength)
        return Recovery(state: state, result: .reset(try page(query, of: inbox).notifications))
    }

    /// Every change after `seq`; nil if one is missing or damaged. A client that starts anew is better than one with a
    /// wrong count.
    private func changes(of inbox: InboxRecord, after seq: Int64) throws -> [InboxChange]? {
        var changes = try arrivals(in: inbox, after: seq) + logged(in: inbox, after: seq)
        changes.sort { $0.stamp.seq < $1.stamp.seq }
        let isContiguous = changes.map(\.stamp.seq).elementsEqual((seq + 1)..<(inbox.state.seq + 1))
        return isContiguous ? changes : nil
    }

    /// The notifications that are still there, in their current state, each at the `seq` at which it came.
    private func arrivals(in inbox: InboxRecord, after seq: Int64) throws -> [InboxChange] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ? AND id > ?")
        let rows = try statement.all([inbox.id, seq], NotificationRecord.init)
        return try rows.compactMap { row in
            let stamp = ChangeStamp(seq: row.id, unread: row.unreadAfter, unseen: row.unseenAfter, delta: 1)
            return try notification(row, of: inbox).map { InboxChange(stamp: stamp, kind: .new($0)) }
        }
    }

    private func logged(in inbox: InboxRecord, after seq: Int64) throws -> [InboxChange] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT seq, unread, unseen, delta, kind, reference, ids FROM change WHERE inbox = ? AND seq > ?
                """)
        let naming = RowNaming(table: "change", scope: inbox.id)
        let rows = try statement.sound([inbox.id, seq], of: naming, damage) { row in
            let delta = try row.int(3)
            var checked = CheckedRow(row)
            let stamp = ChangeStamp(
                seq: checked.count(0), unread: checked.count(1), unseen: checked.count(2), delta: delta)
            let change = LoggedChange(
                kind: checked.count(4), reference: checked.optionalCount(5), ids: checked.optionalText(6),
                inbox: inbox.id)
            guard let change, !checked.isDamaged else { throw naming.row(row) }
            return (stamp, change)
        }
        return try rows.compactMap { stamp, change in
            try kind(of: change, at: stamp.seq, in: inbox).map { InboxChange(stamp: stamp, kind: $0) }
        }
    }

    /// Nil for a change of a damaged notification.
    private func kind(of change: LoggedChange, at seq: Int64, in inbox: InboxRecord) throws -> InboxChange.Kind? {
        switch change {
        case .update(let id), .raised(let id, _): try grown(id, in: inbox)
        case .read(let selection): .read(selection)
        case .seen(let seq): .seen(upTo: seq)
        case .removed(let selection): .removed(selection)
        case .gone: .removed(.ids([NotificationID(inbox: inbox.id, sequence: seq)]))
        }
    }

    /// A grown notification in its current state; a removal if it was removed since then.
    private func grown(_ id: Int64, in inbox: InboxRecord) throws -> InboxChange.Kind? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ? AND id = ?")
        guard let row = try statement.first([inbox.id, id], NotificationRecord.init) else {
            return .removed(.ids([NotificationID(inbox: inbox.id, sequence: id)]))
        }
        return try notification(row, of: inbox).map { .update($0) }
    }
}
