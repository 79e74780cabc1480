import Inbox

/// Lists that look at the newest rows only: see ``NotificationFilter/window``.
extension InboxReader {
    /// One page of the rows that pass the filter.
    func page(_ query: PageQuery, _ filter: NotificationFilter, of inbox: InboxRecord) throws -> Page {
        let rows = try FilteredReader(db)
            .rows(filter, asOf: query.asOf ?? inbox.state.seq, of: inbox.id).map(\.record)
        let limit = max(0, query.limit)
        let rest: ArraySlice<NotificationRecord>
        switch query.start {
        case .offset(let offset): rest = rows.dropFirst(Int(clamping: max(0, offset)))
        case .before(let id): rest = id.inbox == inbox.id ? rows.drop { $0.id >= id.sequence } : []
        case .after(let id): rest = id.inbox == inbox.id ? rows.prefix { $0.id > id.sequence } : []
        }
        return Page(
            state: inbox.state, notifications: try notifications(rest.prefix(limit), of: inbox),
            totalCount: Int64(rows.count), hasMore: rest.count > limit)
    }

    /// The groups that have their newest notifications, those without a group each for itself.
    func groups(_ limit: Int, of inbox: InboxRecord) throws -> GroupPage {
        var lines: [(latest: NotificationRecord, count: Int, unreadCount: Int)] = []
        var places: [String: Int] = [:]
        var hasMore = false
        for row in try FilteredReader(db).rows(NotificationFilter(), asOf: inbox.state.seq, of: inbox.id) {
            let unread = row.record.isRead ? 0 : 1
            if let place = row.group.flatMap({ places[$0] }) {
                lines[place].count += 1
                lines[place].unreadCount += unread
            } else if lines.count < limit {
                if let group = row.group { places[group] = lines.count }
                lines.append((row.record, 1, unread))
            } else {
                hasMore = true
            }
        }
        let groups = try lines.map { line in
            NotificationGroup(
                latest: try notification(line.latest, of: inbox), count: line.count, unreadCount: line.unreadCount)
        }
        return GroupPage(state: inbox.state, groups: groups, hasMore: hasMore)
    }
}
