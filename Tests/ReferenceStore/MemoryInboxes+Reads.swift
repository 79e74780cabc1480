import Deliveries
import Inbox
import Store

extension MemoryInboxes: InboxReads {
    func notifications(_ rows: [NotificationRecord], of inbox: InboxRecord) -> [Notification?] {
        rows.map { $0.notification(inbox: inbox.id, content($0.contentID)) }
    }

    func rows(after seq: Int64, inbox: Int64) -> [NotificationRecord] {
        rows(inbox).map(\.record).filter { $0.id > seq }
    }

    func rows(_ ids: [Int64], inbox: Int64) -> [NotificationRecord] {
        rows(inbox).map(\.record).filter { ids.contains($0.id) }
    }

    func changes(after seq: Int64, inbox: Int64) -> [(stamp: ChangeStamp, change: LoggedChange)] {
        state.changes.filter { $0.inbox == inbox && $0.stamp.seq > seq }.map { ($0.stamp, $0.change) }
    }

    func list(_ filter: NotificationFilter, inbox: Int64) -> any ListReads {
        let all = rows(inbox)
        let wanted = all.filter { row in
            (filter.types?.contains(content(row.record.contentID).type) ?? true)
                && (filter.group.map { ListMark.of($0) == row.group } ?? true)
                && (!filter.unreadOnly || !row.record.isRead)
        }
        return MemoryList(
            all: all, wanted: wanted, changes: changes(after: 0, inbox: inbox), isUnreadOnly: filter.unreadOnly)
    }

    func crowded(
        after inbox: Int64, limit: Int, olderThan time: Timestamp?, maximumRows: Int64
    ) -> CrowdedInboxes {
        let looked = state.inboxes.filter { $0.key > inbox }.sorted { $0.key < $1.key }.prefix(limit)
        let users = looked.filter { id, _ in
            let rows = rows(id)
            let isOld = time.flatMap { time in rows.last.map { $0.storedAt < time } } ?? false
            return isOld || (maximumRows > 0 && rows.count > maximumRows)
        }
        return CrowdedInboxes(
            users: users.map(\.value.user), lastInbox: looked.last?.key ?? inbox, isLast: looked.count < limit)
    }
}

/// The rows of one inbox, the highest place first.
private struct MemoryList: ListReads {
    let all: [MemoryState.Row]
    /// Those that pass the filter.
    let wanted: [MemoryState.Row]
    let changes: [(stamp: ChangeStamp, change: LoggedChange)]
    let isUnreadOnly: Bool

    private func records(in span: ListSpan) -> [NotificationRecord] {
        wanted.map(\.record).filter { span.contains($0.place) }
    }

    func rows(in span: ListSpan, limit: Int, skipping skipped: Int64) -> [NotificationRecord] {
        Array(records(in: span).dropFirst(Int(clamping: skipped)).prefix(limit))
    }

    func row(_ id: Int64) -> NotificationRecord? { wanted.map(\.record).first { $0.id == id } }
    func grouped() -> [GroupedRow] {
        wanted.map { GroupedRow(id: $0.record.id, isRead: $0.record.isRead, group: $0.group) }
    }
    func count(in span: ListSpan) -> Int64 { Int64(records(in: span).count) }
    func countOfNewcomers(after seq: Int64) -> Int64 {
        Int64(all.count { $0.record.id > seq && !(isUnreadOnly && $0.record.isRead) })
    }
    func place(of id: Int64) -> Int64? { all.first { $0.record.id == id }?.record.place }
    func raised(since seq: Int64) -> [(id: Int64, place: Int64?)] {
        changes.sorted { $0.stamp.seq < $1.stamp.seq }.compactMap { stamp, change in
            if case .raised(let id, let place) = change, stamp.seq > seq { (id, place) } else { nil }
        }
    }
}
