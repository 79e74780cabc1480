import Inbox
package import Store

/// One event's trail, as of one moment.
package struct EventTrail {
    /// For how many recipients a summary counts the later steps: about a tenth of a second's work.
    private static let countedRecipients = 10_000

    let reads: any TrailReads

    package func report(_ query: TrailQuery) throws -> TrailReport? {
        guard let id = try id(query.event) else { return nil }
        let rows = try reads.rows(ofEvent: id)
        guard let event = rows.first?.event else { return nil }
        let fates = RecipientFate(reads: reads)
        let inbox = try query.user.flatMap(reads.inbox)
        var summary = TrailReport.Summary()
        var failures: [TrailReport.Failure] = []
        var page: [TrailedPerson] = []
        var (people, notified) = (0, 0)
        // One page of the event at a time: in all it may have millions of people.
        for row in rows {
            for person in TrailedPerson.people(of: row.verdicts) {
                if let user = query.user, !person.isOne(user, inbox: inbox) { continue }
                summary.count(person.verdict)
                if people >= query.after, page.count < query.limit { page.append(person) }
                people += 1
                guard person.notification != nil else { continue }
                notified += 1
                guard notified <= Self.countedRecipients else { continue }
                summary.count(try fates.recipient(person, since: event.acceptedAt), &failures)
            }
        }
        summary.failures = failures
        summary.isWhole = notified <= Self.countedRecipients
        let isAtEnd = page.isEmpty || query.after + page.count == people
        return TrailReport(
            event: event, summary: summary,
            recipients: try page.map { try fates.recipient($0, since: event.acceptedAt) },
            next: isAtEnd ? nil : query.after + page.count)
    }

    private func id(_ name: TrailQuery.Name) throws -> String? {
        switch name {
        case .id(let id): id
        case .key(let key, let publisher): try reads.newest(key, by: publisher)
        }
    }
}

extension TrailedPerson {
    /// - Parameter inbox: the user's; nil for a user without one.
    fileprivate func isOne(_ user: UserID, inbox: Int64?) -> Bool {
        stranger == user || (self.inbox != nil && self.inbox == inbox)
    }
}
