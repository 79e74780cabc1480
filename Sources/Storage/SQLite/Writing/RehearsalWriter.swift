import Inbox

/// Publishes in a transaction that will be undone, and tells what came of it.
///
/// Events for many are tried page by page, each page in a transaction of its own: all others wait hardly longer for
/// them than for a page that is delivered. Only what the first page came to is told one by one, and of several such
/// events only of the first ones.
struct RehearsalWriter {
    let open: OpenTransaction

    /// - Parameters:
    ///   - limit: so many recipients of each event are told.
    ///   - room: so many people at most are those that events for many are tried on.
    func rehearse(_ publication: Publication, limit: Int, room: Int) throws -> Result<RehearsalPass, StoreError> {
        open.isRehearsal = true
        var outcomes: [PublishOutcome]
        switch try PublishWriter(open: open).publish(publication) {
        case .success(let done): outcomes = done
        case .failure(let refusal): return .failure(refusal)
        }
        var pass = RehearsalPass(now: publication.now, rehearsals: [], rests: [], room: room)
        var tried = 0
        for (place, outcome) in outcomes.enumerated() where outcome.broadcast != nil && !outcome.isReplay {
            var rest = try rest(of: publication.entries[place], at: place)
            if tried < open.options.recipientsPerPage {
                tried += try tryNextPage(of: &rest, at: publication.now, &outcomes[place])
            }
            pass.rests.append(rest)
        }
        pass.room -= tried
        pass.rehearsals = try rehearsals(of: publication, outcomes, limit: limit)
        for rest in pass.rests where rest.isEmpty { pass.rehearsals[rest.place].countPeople() }
        pass.rests.removeAll(where: \.isEmpty)
        return .success(pass)
    }

    /// Tries the next page; to be called until the pass is over, each time in a transaction that will be undone.
    func goOn(_ pass: inout RehearsalPass) throws {
        guard var rest = pass.rests.popLast() else { return }
        open.isRehearsal = true
        var rehearsal = pass.rehearsals[rest.place]
        pass.room -= try tryNextPage(of: &rest, at: pass.now, &rehearsal.outcome)
        if rest.isEmpty { rehearsal.countPeople() } else { pass.rests.append(rest) }
        pass.rehearsals[rest.place] = rehearsal
    }

    // MARK: Pages

    private func rest(of entry: Publication.Entry, at place: Int) throws -> RehearsalPass.Rest {
        let audience = try Audience(of: entry.routed, topicMembers: open.topics.members(of:))
        let everybody = try audience.everybodyElse.map { route in
            let actor = entry.routed.event.actorID.flatMap(UserID.init(known:))
            let named = audience.members.map(\.user) + audience.excluded.map(\.user) + (actor.map { [$0] } ?? [])
            return RehearsalPass.Everybody(route: route, named: Set(named), lastInbox: try open.lastInbox())
        }
        return RehearsalPass.Rest(
            place: place, routed: entry.routed, id: entry.id, members: audience.members[...], everybody: everybody)
    }

    /// Adds to the event's counts what came of the page, and tells how many people it was tried on.
    private func tryNextPage(
        of rest: inout RehearsalPass.Rest, at now: Timestamp, _ outcome: inout PublishOutcome
    ) throws -> Int {
        let page = try nextPage(of: &rest)
        let routes = rest.routed.routes.enumerated().map { place, route in
            let members = page.filter { $0.route == place }
            var list = Event.RecipientList(name: route.list.name, users: members.map(\.user))
            for member in members { list.own[member.user] = member.own }
            return RoutedEvent.Route(type: route.type, list: list)
        }
        let routed = RoutedEvent(event: rest.routed.event, routes: routes)
        let delivery = try Delivery(
            of: routed, by: routed.event.actorID, to: Audience(of: routed) { _ in [] }, as: rest.id, at: now, in: open)
        outcome.created += delivery.created
        outcome.updated += delivery.updated
        outcome.recipients += delivery.created + delivery.updated
        outcome.suppressed += delivery.suppressed
        return page.count
    }

    /// The named ones first, and then all others, in the order of their inboxes.
    private func nextPage(of rest: inout RehearsalPass.Rest) throws -> [Audience.Member] {
        let limit = open.options.recipientsPerPage
        if !rest.members.isEmpty {
            defer { rest.members = rest.members.dropFirst(limit) }
            return Array(rest.members.prefix(limit))
        }
        guard var everybody = rest.everybody else { return [] }
        // None is known to a broadcast that is not there.
        let users = try open.users(
            after: everybody.afterInbox, upTo: everybody.lastInbox, unknownTo: 0, limit: limit)
        everybody.afterInbox = users.last?.inbox ?? everybody.lastInbox
        rest.everybody = users.count < limit ? nil : everybody
        return users.compactMap(\.user).filter { !everybody.named.contains($0) }.map {
            Audience.Member(user: $0, route: everybody.route, own: nil)
        }
    }

    // MARK: Telling

    private func rehearsals(
        of publication: Publication, _ outcomes: [PublishOutcome], limit: Int
    ) throws -> [Rehearsal] {
        // One that several events have changed was told as often, in the order of the events.
        var told: [NotificationID: ArraySlice<Content>] = [:]
        for delivery in open.commit.inboxes {
            switch delivery.change.kind {
            case .new(let notification), .update(let notification):
                told[notification.id, default: []].append(notification.content)
            case .read, .seen, .removed: break
            }
        }
        for push in open.rehearsedPushes { told[push.notification, default: []].append(push.content) }
        return try zip(publication.entries, outcomes).map { entry, outcome in
            try rehearsal(of: entry, outcome, limit: limit, &told)
        }
    }

    private func rehearsal(
        of entry: Publication.Entry, _ outcome: PublishOutcome, limit: Int,
        _ told: inout [NotificationID: ArraySlice<Content>]
    ) throws -> Rehearsal {
        var recipients: [Rehearsal.Recipient] = []
        var people = 0
        let groups = open.trail.gatherings.first { $0.event == entry.id }?.verdicts.groups ?? []
        for group in groups {
            guard let known = group.recipients.recipients else { throw DamagedRow(table: "trail_event") }
            people += known.count + group.strangers.count
            for recipient in known {
                let content = recipient.notification.flatMap { number in
                    told[NotificationID(inbox: recipient.inbox, sequence: number)]?.popFirst()
                }
                guard recipients.count < limit, let user = try open.user(ofInbox: recipient.inbox) else { continue }
                recipients.append(Self.recipient(user, group.verdict, content))
            }
            recipients += group.strangers.prefix(limit - recipients.count).map {
                Self.recipient($0, group.verdict, nil)
            }
        }
        return Rehearsal(
            outcome: outcome, people: outcome.broadcast?.total ?? people, recipients: recipients)
    }

    private static func recipient(
        _ user: UserID, _ verdict: TrailVerdicts.Verdict, _ content: Content?
    ) -> Rehearsal.Recipient {
        Rehearsal.Recipient(
            user: user, decision: verdict.decision, type: verdict.type, isLive: verdict.isLive, content: content)
    }
}

extension Rehearsal {
    /// It was tried on all; until then it is known only about how many they are.
    fileprivate mutating func countPeople() { people = outcome.recipients + outcome.suppressed }
}

extension RehearsalPass.Rest {
    fileprivate var isEmpty: Bool { members.isEmpty && everybody == nil }
}
