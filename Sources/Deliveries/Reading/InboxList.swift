import Inbox
package import Store

/// One inbox's list and its groups, as of one moment.
package struct InboxList {
    let reads: any InboxReads
    let inbox: InboxRecord

    /// A row and its place in the list as of a moment.
    private struct ListedRow {
        let place: Int64
        let record: NotificationRecord
    }

    package func page(_ asked: PageQuery) throws -> Page {
        var query = asked
        let isRecovered = knows(query)
        if !isRecovered { (query.start, query.asOf) = (.offset(query.startAnew), nil) }
        let filter = query.filter ?? NotificationFilter()
        let list = try reads.list(filter, inbox: inbox.id)
        let asOf = query.asOf ?? inbox.state.seq
        // A row that has come up since stands at its earlier place. By its new place, it would be missed.
        let raised = asOf < inbox.state.seq ? try raised(since: asOf, list) : []
        let total = try totalCount(filter, asOf, raised, list)
        let (span, skipped) = try span(query.start, asOf, list)
        let limit = max(0, query.limit)
        let rows = try rows(in: span, limit, skipping: skipped, raised, list)
        let remaining =
            if case .offset = query.start {
                max(0, total - skipped)
            } else {
                try list.count(in: span) + Int64(raised.count { span.contains($0.place) })
            }
        let sound = try reads.notifications(rows.map(\.record), of: inbox).compactMap(\.self)
        return Page(
            state: inbox.state, notifications: sound, totalCount: total, remaining: remaining, asOf: asOf,
            end: rows.last?.place, isRecovered: isRecovered, leftOut: rows.count - sound.count)
    }

    /// Whether the inbox has, or had, the place at which the page begins.
    private func knows(_ query: PageQuery) -> Bool {
        let state = inbox.state
        // A `seq` ahead of the inbox comes from before something that no client was told, such as a restored copy.
        guard query.epoch ?? state.epoch == state.epoch, query.asOf ?? 0 <= state.seq else { return false }
        switch query.start {
        case .offset, .behind: return true
        // The id may be another person's, or that of an erased person who is back. A number is never given twice, so
        // even a removed notification's still tells its place.
        case .before(let id), .after(let id): return id.inbox == inbox.id && id.sequence <= state.seq
        }
    }

    /// The rows that the query asks for, and how many of them are skipped.
    private func span(
        _ start: PageQuery.Start, _ asOf: Int64, _ list: any ListReads
    ) throws -> (ListSpan, skipped: Int64) {
        var span = ListSpan(upTo: asOf)
        switch start {
        case .offset(let offset): return (span, max(0, offset))
        case .behind(let place): span.upTo = min(asOf, max(0, place) - 1)
        case .before(let id):
            span.upTo = min(asOf, try place(of: id, list) - 1)
        case .after(let id):
            span.above = try place(of: id, list)
        }
        return (span, 0)
    }

    private func rows(
        in span: ListSpan, _ limit: Int, skipping skipped: Int64, _ raised: [ListedRow], _ list: any ListReads
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
        _ filter: NotificationFilter, _ asOf: Int64, _ raised: [ListedRow], _ list: any ListReads
    ) throws -> Int64 {
        guard filter.group == nil, filter.types == nil else {
            return try list.count(in: ListSpan(upTo: asOf)) + Int64(raised.count)
        }
        let count = filter.unreadOnly ? inbox.state.unread : inbox.state.total
        return asOf < inbox.state.seq ? count - (try list.countOfNewcomers(after: asOf)) : count
    }

    /// A notification's place; the place at which it came, if it is gone.
    private func place(of id: NotificationID, _ list: any ListReads) throws -> Int64 {
        try list.place(of: id.sequence) ?? id.sequence
    }

    /// The rows that have come up since `seq` and pass the filter, each with its place at that time.
    private func raised(since seq: Int64, _ list: any ListReads) throws -> [ListedRow] {
        var places: [Int64: Int64] = [:]
        for (id, place) in try list.raised(since: seq) {
            // A row whose earlier place cannot be read keeps its current place.
            guard id <= seq, places[id] == nil, let place else { continue }
            places[id] = place
        }
        return try places.sorted { $0.value > $1.value }.compactMap { id, place in
            try list.row(id).map { ListedRow(place: place, record: $0) }
        }
    }

    // MARK: Groups

    /// The groups whose newest notifications stand highest; a notification without a group is its own. Reads each row
    /// of the inbox.
    package func groups(_ limit: Int) throws -> GroupPage {
        var lines: [(latest: Int64, count: Int, unreadCount: Int)] = []
        var places: [Int64: Int] = [:]
        var hasMore = false
        let list = try reads.list(NotificationFilter(), inbox: inbox.id)
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
            try latest(of: line.latest, among: rows, list).map {
                NotificationGroup(latest: $0, count: line.count, unreadCount: line.unreadCount)
            }
        }
        return GroupPage(state: inbox.state, groups: groups, hasMore: hasMore)
    }

    /// A group's newest notification that is not damaged.
    private func latest(
        of first: Int64, among rows: [GroupedRow], _ list: any ListReads
    ) throws -> Notification? {
        func read(_ id: Int64) throws -> Notification? {
            try list.row(id).flatMap { try reads.notification($0, of: inbox) }
        }
        if let newest = try read(first) { return newest }
        guard let group = rows.first(where: { $0.id == first })?.group else { return nil }
        for row in rows where row.group == group && row.id != first {
            if let newest = try read(row.id) { return newest }
        }
        return nil
    }
}
