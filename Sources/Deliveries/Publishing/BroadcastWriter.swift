package import Inbox
import JSON
package import Store

/// Takes in events with too many recipients for one commit, and delivers them page by page.
package struct BroadcastWriter {
    package let open: OpenTransaction

    // MARK: Taking in

    /// Stores the event with all its recipients, and delivers nothing yet.
    package func accept(_ entry: Publication.Entry, for audience: Audience, of publication: Publication) throws
        -> Broadcast
    {
        let routed = entry.routed
        let everybody = try audience.everybodyElse.map { route in
            (list: routed.routes[route].list.name, lastInbox: try open.lastInbox())
        }
        // "Everybody" includes the actor, who must be excluded.
        let actor = routed.event.actorAsUser
        var excluded = audience.excluded
        if everybody != nil, let actor, try open.knownInbox(of: actor) != nil,
            !excluded.contains(where: { $0.user == actor })
        {
            excluded.append(Audience.Excluded(user: actor, exclusion: .actor))
        }
        let broadcast = Broadcast(
            event: entry.id, publisher: publication.publisher, state: .working, isForEverybody: everybody != nil,
            total: max(
                audience.members.count + excluded.count,
                everybody == nil ? 0 : Int(try open.inboxCount(of: routed.event.app))),
            suppressed: excluded.count,
            acceptedAt: publication.now)
        let id = try open.broadcasts.insert(
            entry, by: publication.publisher, everybody: everybody, total: broadcast.total,
            suppressed: broadcast.suppressed, at: publication.now)
        // A page of people whose rows lie far apart would write one disk page for nearly each of them.
        let members = open.sortedByInbox(audience.members, \.user)
        try keep(members, of: routed, as: id)
        if everybody != nil {
            try open.expect(audience.members.map(\.user) + excluded.map(\.user), areRecipients: false)
            for user in audience.members.map(\.user) + excluded.map(\.user) {
                guard let inbox = try open.knownInbox(of: user) else { continue }
                try open.broadcasts.insertKnown(inbox: inbox.id, to: id)
            }
        }
        try Delivery.note(excluded, of: entry.id, in: open)
        return broadcast
    }

    private func keep(_ members: [Audience.Member], of routed: RoutedEvent, as broadcast: Int64) throws {
        var start = members.startIndex
        while start < members.endIndex {
            let end = min(start + open.options.recipientsPerPage, members.endIndex)
            var lists: [Event.RecipientList] = []
            for member in members[start..<end] {
                let name = routed.routes[member.route].list.name
                let place = lists.firstIndex { $0.name == name } ?? lists.endIndex
                if place == lists.endIndex { lists.append(Event.RecipientList(name: name)) }
                lists[place].users.append(member.user)
                if let own = member.own { lists[place].own[member.user] = own }
            }
            let recipients = JSONObject(lists.map { JSONObject.Member(key: $0.name, value: $0.jsonOfUsers) })
            try open.broadcasts.insertPage(recipients, of: broadcast)
            start = end
        }
    }

    // MARK: Delivering

    private struct Page {
        var recipients: [Event.RecipientList]
        /// The broadcast's row of this page.
        var row: Int64?
        var lastInbox: Int64?
        var isLast: Bool
    }

    /// Delivers the next page; nil for an unknown event.
    package func deliverPage(
        of id: String, at now: Timestamp, route: (Event) -> Result<RoutedEvent, EventProblem>
    ) throws -> Broadcast? {
        guard var record = try open.broadcasts.record(of: id) else { return nil }
        guard record.broadcast.state == .working else { return record.broadcast }
        if try open.trailRows.isRetracted(id) {
            return try end(record, at: now, as: .abandoned("its publisher took it back"))
        }
        let page: Page
        let event: Event
        do {
            page = try nextPage(of: record)
            event = try record.event(to: page.recipients)
        } catch let error where !(error is any EngineFailure) {
            // Another try would fail in the same way.
            open.broadcasts.leaveOut(record.id)
            return try end(record, at: now, as: .abandoned("what was stored of it cannot be read"))
        }
        if !page.recipients.isEmpty {
            switch route(event) {
            case .failure(let problem): return try end(record, at: now, as: .abandoned(problem.description))
            case .success(let routed):
                let delivery = try Delivery.deliver(
                    routed, to: Audience(of: routed) { _ in [] }, as: id, at: now, in: open)
                record.broadcast.created += delivery.created
                record.broadcast.updated += delivery.updated
                record.broadcast.suppressed += delivery.suppressed
            }
        }
        if let row = page.row { try open.broadcasts.deletePage(row) }
        if let inbox = page.lastInbox { record.afterInbox = inbox }
        guard page.isLast else {
            try open.broadcasts.write(record)
            return record.broadcast
        }
        return try end(record, at: now, as: .done)
    }

    private func nextPage(of record: BroadcastRecord) throws -> Page {
        if let page = try open.broadcasts.nextPage(of: record.id) {
            let recipients = try page.recipients.withUnsafeBytes { try Event.recipients(stored: JSONNode(parsing: $0)) }
            return Page(recipients: recipients, row: page.id, isLast: page.isLast && record.everybody == nil)
        }
        guard let everybody = record.everybody else { return Page(recipients: [], isLast: true) }
        let limit = open.options.recipientsPerPage
        let users = try open.users(
            of: record.broadcast.app, after: record.afterInbox, upTo: record.lastInbox, unknownTo: record.id,
            limit: limit)
        let list = Event.RecipientList(name: everybody, users: users.compactMap(\.user))
        return Page(
            recipients: list.users.isEmpty ? [] : [list], lastInbox: users.last?.inbox, isLast: users.count < limit)
    }

    private func end(_ old: BroadcastRecord, at now: Timestamp, as state: Broadcast.State) throws -> Broadcast {
        var record = old
        record.broadcast.state = state
        record.broadcast.endedAt = now
        var problem: String?
        switch state {
        case .abandoned(let reason): problem = reason
        // Only now the number of inboxes is known.
        case .done, .working: record.broadcast.total = record.broadcast.recipients + record.broadcast.suppressed
        }
        try open.broadcasts.write(record)
        try open.broadcasts.end(record.id, at: now, problem: problem)
        if record.key != nil { try open.keys.update(PublishOutcome(record.broadcast)) }
        return record.broadcast
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}
