import Inbox

/// Publishes in a transaction that will be undone, and tells what came of it.
struct RehearsalWriter {
    let open: OpenTransaction
    let catalogs: CatalogSet

    func rehearse(_ publication: Publication, limit: Int) throws -> Result<[Rehearsal], StoreError> {
        open.isRehearsal = true
        let outcomes: [PublishOutcome]
        switch try PublishWriter(open: open).publish(publication) {
        case .success(let done): outcomes = done
        case .failure(let refusal): return .failure(refusal)
        }
        // Of an event that is worked off in pages the first one tells enough.
        for outcome in outcomes where outcome.broadcast != nil && !outcome.isReplay {
            _ = try BroadcastWriter(open: open).deliverPage(
                of: outcome.event, at: publication.now, route: catalogs.routing)
        }
        // One that several events have changed was told as often, in the order of the events.
        var told: [NotificationID: ArraySlice<Content>] = [:]
        for delivery in open.commit.inboxes {
            switch delivery.change.kind {
            case .new(let notification), .update(let notification):
                told[notification.id, default: []].append(notification.content)
            case .read, .seen, .removed: break
            }
        }
        return .success(
            try zip(publication.entries, outcomes).map { entry, outcome in
                try rehearsal(of: entry, outcome, limit: limit, &told)
            })
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
                guard recipients.count < limit else { continue }
                recipients.append(Self.recipient(try open.user(ofInbox: recipient.inbox), group.verdict, content))
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

extension CatalogSet {
    /// Routes an event, without throwing.
    fileprivate func routing(_ event: Event) -> Result<RoutedEvent, EventProblem> {
        do throws(EventProblem) { return .success(try route(event)) } catch { return .failure(error) }
    }
}
