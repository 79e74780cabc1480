import Inbox
import Push
package import Store

/// Publishes in a transaction that will be undone, and returns the results.
///
/// Events for many are tried page by page, each page in its own transaction, so other writes wait hardly longer than
/// for a delivered page. Each such page first repeats what its people got before of the same publication, so that each
/// event meets the results of the earlier ones. Only the recipients of an event's first page are told one by one.
package struct RehearsalWriter {
    package let open: OpenTransaction

    /// - Parameters:
    ///   - limit: how many recipients are told of each event.
    ///   - room: on how many people at most events for many are tried.
    package func rehearse(_ publication: Publication, limit: Int, room: Int) throws -> Result<RehearsalPass, StoreError>
    {
        open.isRehearsal = true
        let lastInbox = try open.lastInbox()
        let outcomes: [PublishOutcome]
        switch try PublishWriter(open: open).publish(publication) {
        case .success(let done): outcomes = done
        case .failure(let refusal): return .failure(refusal)
        }
        var pass = RehearsalPass(of: publication, limit: limit, room: room)
        for (entry, outcome) in zip(publication.entries, outcomes) {
            pass.rehearsals.append(try rehearsal(of: entry, outcome, limit: limit))
        }
        try sort(outcomes, lastInbox, into: &pass)
        var tried = 0
        while tried < open.options.recipientsPerPage, !pass.isOver { tried += try tryNextPage(&pass) }
        return .success(pass)
    }

    /// Tries the next page. To be called until the pass is over, each time in a transaction that will be undone.
    package func goOn(_ pass: inout RehearsalPass) throws {
        open.isRehearsal = true
        _ = try tryNextPage(&pass, isAlone: true)
    }

    /// Sorts the events: those to be tried page by page, those that have reached all their people, and repetitions.
    /// - Parameter lastInbox: the highest number before the publication.
    private func sort(_ outcomes: [PublishOutcome], _ lastInbox: Int64, into pass: inout RehearsalPass) throws {
        let entries = pass.publication.entries
        var firsts: [String: Int] = [:]
        for (place, outcome) in outcomes.enumerated() where !outcome.isReplay { firsts[outcome.event] = place }
        for (place, outcome) in outcomes.enumerated() {
            if outcome.isReplay {
                if let first = firsts[outcome.event] { pass.repeats.append((place, first)) }
            } else if outcome.broadcast != nil {
                pass.rests.append(try rest(of: entries[place], at: place, lastInbox))
            }
        }
        // All other events are delivered before any page.
        guard !pass.rests.isEmpty else { return }
        for (place, outcome) in outcomes.enumerated() where !outcome.isReplay && outcome.broadcast == nil {
            let audience = try Audience(of: entries[place].routed, topicMembers: open.topics.members(of:))
            pass.note(audience.members, of: place)
        }
        for rest in pass.rests where rest.isEmpty { pass.rehearsals[rest.place].countPeople() }
        pass.rests.removeAll(where: \.isEmpty)
    }

    // MARK: Pages

    private func rest(of entry: Publication.Entry, at place: Int, _ lastInbox: Int64) throws -> RehearsalPass.Rest {
        let audience = try Audience(of: entry.routed, topicMembers: open.topics.members(of:))
        let everybody = try audience.everybodyElse.map { route in
            let event = entry.routed.event
            let named =
                audience.members.map(\.user) + audience.excluded.map(\.user) + (event.actorAsUser.map { [$0] } ?? [])
            // "Everybody" are the people who were there when the event was taken in.
            let last = try open.broadcasts.record(of: entry.id)?.lastInbox ?? lastInbox
            let newcomers = try open.users(of: event.app, after: lastInbox, upTo: last, unknownTo: 0, limit: .max)
            return RehearsalPass.Everybody(
                app: event.app, route: route, named: Set(named), lastInbox: min(lastInbox, last),
                newcomers: newcomers.compactMap(\.user))
        }
        return RehearsalPass.Rest(place: place, members: audience.members[...], everybody: everybody)
    }

    /// Tries the next page of the event whose turn it is, and adds the results to the event's counts.
    ///
    /// - Parameter isAlone: whether nothing else of the publication was done in this transaction.
    /// - Returns: on how many people the event was tried.
    private func tryNextPage(_ pass: inout RehearsalPass, isAlone: Bool = false) throws -> Int {
        guard !pass.rests.isEmpty else { return 0 }
        var rest = pass.rests.removeFirst()
        let (isFirst, page) = (rest.isWhole, try nextPage(of: &rest))
        if isAlone {
            for earlier in pass.received(by: page) {
                _ = try deliver(pass.publication.entries[earlier.place], to: earlier.members, at: pass.publication.now)
            }
        }
        let entry = pass.publication.entries[rest.place]
        let delivery = try deliver(entry, to: page, at: pass.publication.now)
        pass.rehearsals[rest.place].add(delivery)
        if isFirst {
            let told = try recipients(of: entry.id, among: Set(page.map(\.user)), limit: pass.limit)
            pass.rehearsals[rest.place].tell(told, limit: pass.limit)
        }
        // Only further events of the publication need to know.
        if pass.publication.entries.count > 1 { pass.note(page, of: rest.place) }
        pass.room -= page.count
        if rest.isEmpty { pass.rehearsals[rest.place].countPeople() } else { pass.rests.append(rest) }
        return page.count
    }

    private func deliver(
        _ entry: Publication.Entry, to members: [Audience.Member], at now: Timestamp
    ) throws -> Delivery {
        let routes = entry.routed.routes.enumerated().map { place, route in
            let members = members.filter { $0.route == place }
            var list = Event.RecipientList(name: route.list.name, users: members.map(\.user))
            for member in members { list.own[member.user] = member.own }
            return RoutedEvent.Route(type: route.type, list: list)
        }
        let routed = RoutedEvent(event: entry.routed.event, routes: routes)
        return try Delivery.deliver(
            routed, to: Audience(of: routed) { _ in [] }, as: entry.id, at: now, in: open)
    }

    /// The named people first, then all others in the order of their inboxes.
    private func nextPage(of rest: inout RehearsalPass.Rest) throws -> [Audience.Member] {
        rest.isWhole = false
        let limit = open.options.recipientsPerPage
        if !rest.members.isEmpty {
            defer { rest.members = rest.members.dropFirst(limit) }
            return Array(rest.members.prefix(limit))
        }
        guard var everybody = rest.everybody else { return [] }
        func members(_ users: [UserID]) -> [Audience.Member] {
            users.filter { !everybody.named.contains($0) }.map {
                Audience.Member(user: $0, route: everybody.route, own: nil)
            }
        }
        // Broadcast 0 does not exist, so no inbox is known to it.
        let users = try open.users(
            of: everybody.app, after: everybody.afterInbox, upTo: everybody.lastInbox, unknownTo: 0, limit: limit)
        everybody.afterInbox = users.last?.inbox ?? everybody.lastInbox
        if users.count < limit {
            rest.members = members(everybody.newcomers)[...]
            rest.everybody = nil
        } else {
            rest.everybody = everybody
        }
        return members(users.compactMap(\.user))
    }

    // MARK: Telling

    private func rehearsal(
        of entry: Publication.Entry, _ outcome: PublishOutcome, limit: Int
    ) throws -> Rehearsal {
        let told = try recipients(of: entry.id, limit: limit)
        return Rehearsal(
            outcome: outcome, people: outcome.broadcast?.total ?? told.people, recipients: told.recipients)
    }

    /// The decisions so far, with their people.
    ///
    /// - Parameter people: those to be told; nil for all.
    private func recipients(
        of event: String, among people: Set<UserID>? = nil, limit: Int
    ) throws -> (people: Int, recipients: [Rehearsal.Recipient]) {
        var (count, recipients) = (0, [Rehearsal.Recipient]())
        let groups = open.trail.gatherings.first { $0.event == event }?.verdicts.groups ?? []
        for group in groups {
            // This transaction wrote it, so no disk has damaged it.
            let known = group.recipients.recipients ?? []
            count += known.count + group.strangers.count
            for recipient in known where recipients.count < limit {
                guard let user = try open.user(ofInbox: recipient.inbox), people?.contains(user) ?? true else {
                    continue
                }
                let content = recipient.notification.flatMap { number in
                    open.rehearsedContent(of: NotificationID(inbox: recipient.inbox, sequence: number), by: event)
                }
                recipients.append(Self.recipient(user, group.verdict, content))
            }
            guard people == nil else { continue }
            recipients += group.strangers.prefix(limit - recipients.count).map {
                Self.recipient($0, group.verdict, nil)
            }
        }
        return (count, recipients)
    }

    private static func recipient(
        _ user: UserID, _ verdict: TrailVerdicts.Verdict, _ content: Content?
    ) -> Rehearsal.Recipient {
        Rehearsal.Recipient(
            user: user, decision: verdict.decision, type: verdict.type, isLive: verdict.isLive, content: content)
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}

extension Rehearsal {
    /// Adds the results of another page.
    fileprivate mutating func add(_ delivery: Delivery) {
        outcome.created += delivery.created
        outcome.updated += delivery.updated
        outcome.recipients += delivery.created + delivery.updated
        outcome.suppressed += delivery.suppressed
    }

    fileprivate mutating func tell(_ told: (people: Int, recipients: [Recipient]), limit: Int) {
        recipients += told.recipients.prefix(limit - recipients.count)
    }

    /// To be called once the event was tried on all. Until then, only about how many people it reaches is known.
    fileprivate mutating func countPeople() { people = outcome.recipients + outcome.suppressed }
}
