import Inbox

/// An inbox's list and its groups.
extension InboxReader {
    func page(_ asked: PageQuery, of inbox: InboxRecord) throws -> Page {
        var query = asked
        // A `seq` to come is from before something that nobody has told the client of, such as a copy that was put
        // back.
        let isRecovered =
            (query.epoch ?? inbox.state.epoch) == inbox.state.epoch && query.asOf ?? 0 <= inbox.state.seq
        if !isRecovered { (query.start, query.asOf) = (.offset(query.startAnew), nil) }
        let filter = query.filter ?? NotificationFilter()
        let list = ListReader(db, filter, inbox: inbox.id)
        let asOf = query.asOf ?? inbox.state.seq
        // What has come up since stands where it stood, or else it would be passed over: its new place is not on this
        // page.
        let raised = asOf < inbox.state.seq ? try list.raised(since: asOf) : []
        let total = try totalCount(filter, asOf, raised, list, of: inbox)
        guard let (span, skipped) = try span(query.start, asOf, list, of: inbox) else {
            return Page(
                state: inbox.state, notifications: [], totalCount: total, remaining: 0, asOf: asOf, end: nil,
                isRecovered: isRecovered)
        }
        let limit = max(0, query.limit)
        let rows = try rows(in: span, limit, skipping: skipped, raised, list)
        let remaining =
            if case .offset = query.start {
                max(0, total - skipped)
            } else {
                try list.count(in: span) + Int64(raised.count { span.contains($0.place) })
            }
        let sound = try notifications(rows.map(\.record), of: inbox)
        return Page(
            state: inbox.state, notifications: sound, totalCount: total, remaining: remaining, asOf: asOf,
            end: rows.last?.place, isRecovered: isRecovered, leftOut: rows.count - sound.count)
    }

    /// Which rows are asked for, and how many of them are passed over; nil for none.
    private func span(
        _ start: PageQuery.Start, _ asOf: Int64, _ list: ListReader, of inbox: InboxRecord
    ) throws -> (ListReader.Span, skipped: Int64)? {
        var span = ListReader.Span(upTo: asOf)
        switch start {
        case .offset(let offset): return (span, max(0, offset))
        case .behind(let place): span.upTo = min(asOf, max(0, place) - 1)
        case .before(let id):
            guard id.inbox == inbox.id else { return nil }
            span.upTo = min(asOf, try list.place(of: id.sequence) - 1)
        case .after(let id):
            guard id.inbox == inbox.id else { return nil }
            span.above = try list.place(of: id.sequence)
        }
        return (span, 0)
    }

    private func rows(
        in span: ListReader.Span, _ limit: Int, skipping skipped: Int64, _ raised: [ListedRow], _ list: ListReader
    ) throws -> [ListedRow] {
        func listed(_ record: NotificationRecord) -> ListedRow { ListedRow(place: record.place, record: record) }
        guard !raised.isEmpty else {
            return try list.rows(in: span, limit: limit, skipping: skipped).map(listed)
        }
        let (most, overflows) = limit.addingReportingOverflow(Int(clamping: skipped))
        let others = try list.rows(in: span, limit: overflows ? .max : most, skipping: 0).map(listed)
        let rows = (others + raised.filter { span.contains($0.place) }).sorted { $0.place > $1.place }
        return Array(rows.dropFirst(Int(clamping: skipped)).prefix(limit))
    }

    private func totalCount(
        _ filter: NotificationFilter, _ asOf: Int64, _ raised: [ListedRow], _ list: ListReader, of inbox: InboxRecord
    ) throws -> Int64 {
        guard filter.group == nil, filter.types == nil else {
            return try list.count(in: ListReader.Span(upTo: asOf)) + Int64(raised.count)
        }
        let count = filter.unreadOnly ? inbox.state.unread : inbox.state.total
        return asOf < inbox.state.seq ? count - (try list.countOfNewcomers(after: asOf)) : count
    }

    // MARK: Groups

    /// The groups whose newest notifications stand highest, those without a group each for itself. Looks at each row of
    /// the inbox.
    func groups(_ limit: Int, of inbox: InboxRecord) throws -> GroupPage {
        var lines: [(latest: Int64, count: Int, unreadCount: Int)] = []
        var places: [Int64: Int] = [:]
        var hasMore = false
        let list = ListReader(db, NotificationFilter(), inbox: inbox.id)
        let rows = try list.grouped()
        for row in rows {
            let unread = row.isRead ? 0 : 1
            if let place = row.group.flatMap({ places[$0] }) {
                lines[place].count += 1
                lines[place].unreadCount += unread
            } else if lines.count < limit {
                if let group = row.group { places[group] = lines.count }
                lines.append((row.id, 1, unread))
            } else {
                hasMore = true
            }
        }
        let groups = try lines.compactMap { line in
            try latest(of: line.latest, among: rows, list, of: inbox).map {
                NotificationGroup(latest: $0, count: line.count, unreadCount: line.unreadCount)
            }
        }
        return GroupPage(state: inbox.state, groups: groups, hasMore: hasMore)
    }

    /// A group's newest notification; where that is damaged, the newest one that is not.
    private func latest(
        of first: Int64, among rows: [ListReader.GroupedRow], _ list: ListReader, of inbox: InboxRecord
    ) throws -> Notification? {
        func read(_ id: Int64) throws -> Notification? {
            try list.row(id).flatMap { try notification($0, of: inbox) }
        }
        if let newest = try read(first) { return newest }
        guard let group = rows.first(where: { $0.id == first })?.group else { return nil }
        for row in rows where row.group == group && row.id != first {
            if let newest = try read(row.id) { return newest }
        }
        return nil
    }
}
