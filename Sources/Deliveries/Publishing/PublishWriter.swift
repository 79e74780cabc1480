package import Inbox
package import Store

/// Turns publications into rows.
package struct PublishWriter {
    package let open: OpenTransaction
    /// See ``OpenTransaction/knownKeys``.
    package var knownKeys: Set<EventKey>?

    /// Where the answer to a repeated entry comes from.
    private enum Repeat {
        case stored(PublishOutcome)
        /// The same key came earlier in this publication.
        case sameAs(index: Int)
    }

    /// All keys are judged before anything is written: a refusal leaves nothing behind.
    package func publish(_ publication: Publication) throws -> Result<[PublishOutcome], StoreError> {
        let repeats: [Int: Repeat]
        switch try judgeKeys(of: publication) {
        case .success(let judged): repeats = judged
        case .failure(let refusal): return .failure(refusal)
        }
        try open.sweep(at: publication.now)
        if publication.entries.count == 1, repeats.isEmpty {
            // Nearly all publications are such, and need no room for more.
            return .success([try write(publication.entries[0], of: publication)])
        }
        var outcomes: [PublishOutcome] = []
        outcomes.reserveCapacity(publication.entries.count)
        for place in publication.entries.indices {
            switch repeats.isEmpty ? nil : repeats[place] {
            case nil:
                outcomes.append(try write(publication.entries[place], of: publication))
            case .stored(let outcome):
                open.trail.noteRepeat(of: outcome.event, at: publication.now)
                outcomes.append(outcome)
            case .sameAs(let index):
                var outcome = outcomes[index]
                outcome.isReplay = true
                open.trail.noteRepeat(of: outcome.event, at: publication.now)
                outcomes.append(outcome)
            }
        }
        return .success(outcomes)
    }

    /// The repeated entries by index: mostly none.
    private func judgeKeys(of publication: Publication) throws -> Result<[Int: Repeat], StoreError> {
        var firstUses: [ExactText: Int] = [:]
        var repeats: [Int: Repeat] = [:]
        // Most publications are one event, and need no table of first uses.
        if publication.entries.count > 1 { firstUses.reserveCapacity(publication.entries.count) }
        for index in publication.entries.indices {
            // Only single fields: copying an entry would count references to a dozen things.
            let sent = publication.entries[index].fingerprint
            guard let key = publication.entries[index].routed.event.key else { continue }
            let fingerprint: UInt64
            if !firstUses.isEmpty, let first = firstUses[ExactText(key)] {
                (repeats[index], fingerprint) = (.sameAs(index: first), publication.entries[first].fingerprint)
            } else if let use = try use(of: key, by: publication.publisher, at: publication.now) {
                (repeats[index], fingerprint) = (.stored(try outcome(of: use)), use.fingerprint)
            } else {
                if publication.entries.count > 1 { firstUses[ExactText(key)] = index }
                continue
            }
            guard fingerprint == sent else { return .failure(.keyReused(index: index)) }
        }
        return .success(repeats)
    }

    private func use(of key: String, by publisher: String, at now: Timestamp) throws -> KeyUse? {
        if let use = open.trail.use(of: key, by: publisher) { return use }
        // Keys are added only at the commit, so one that was missing then is missing now.
        if let knownKeys, knownKeys.isEmpty || !knownKeys.contains(EventKey(key, of: publisher)) { return nil }
        return try open.keys.use(of: key, by: publisher, at: now, lifetime: open.options.keyLifetime)
    }

    /// The counts of an event that is still being delivered are not final.
    private func outcome(of use: KeyUse) throws -> PublishOutcome {
        let broadcast = try open.broadcasts.record(of: use.event)?.broadcast
        return broadcast.map { PublishOutcome($0, isReplay: true) } ?? use.outcome
    }

    /// The answers to events that were all taken in before; nil if one was not, or if its key stands for another event.
    package func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp
    ) throws -> [PublishOutcome]? {
        var outcomes: [PublishOutcome] = []
        outcomes.reserveCapacity(events.count)
        for event in events {
            guard let use = try use(of: event.key, by: publisher, at: now), use.fingerprint == event.fingerprint else {
                return nil
            }
            outcomes.append(try outcome(of: use))
        }
        for outcome in outcomes { open.trail.noteRepeat(of: outcome.event, at: now) }
        return outcomes
    }

    private func write(_ entry: Publication.Entry, of publication: Publication) throws -> PublishOutcome {
        var outcome = try outcome(of: entry, of: publication)
        if !entry.routed.items.isEmpty { outcome.items = try publishItems(of: entry, at: publication.now) }
        if entry.routed.event.key != nil {
            open.trail.keep(KeyUse(fingerprint: entry.fingerprint, outcome: outcome), of: entry.id)
        }
        return outcome
    }

    /// In the notifications' transaction: a recipient who hears of the event finds the items.
    private func publishItems(of entry: Publication.Entry, at now: Timestamp) throws -> [PublishedItem] {
        let writer = FeedWriter(open: open, isOfEvent: true)
        let items = try entry.routed.items.map { new in
            var feed = try open.feed(named: new.item.feed)
            let receipt = try writer.append(new.item, to: &feed, length: Int64(new.length), at: now)
            open.keep(feed, named: new.item.feed)
            return PublishedItem(feed: new.item.feed, position: receipt.position, isNew: receipt.isNew)
        }
        // Items that were there before are not this event's to take back.
        open.trail.note(items.filter(\.isNew), of: entry.id)
        return items
    }

    private func outcome(of entry: Publication.Entry, of publication: Publication) throws -> PublishOutcome {
        open.trail.begin(
            entry.routed.event, of: entry.routed.event.actorID, id: entry.id, by: publication.publisher,
            at: publication.now,
            keepsData: entry.routed.routes.contains { $0.type.batchWindow != nil })
        let audience = try Audience(of: entry.routed, topicMembers: open.topics.members(of:))
        if isForMany(audience, of: entry.routed) {
            return PublishOutcome(try BroadcastWriter(open: open).accept(entry, for: audience, of: publication))
        }
        let delivery = try Delivery.deliver(
            entry.routed, to: audience, as: entry.id, at: publication.now, in: open)
        return PublishOutcome(
            event: entry.id, recipients: delivery.created + delivery.updated, created: delivery.created,
            updated: delivery.updated, suppressed: delivery.suppressed, isReplay: false)
    }

    /// Whether the event is delivered page by page. In a full transaction, events to topics are, too: many short ones
    /// of one publication together would hold up all others.
    private func isForMany(_ audience: Audience, of routed: RoutedEvent) -> Bool {
        audience.everybodyElse != nil || audience.members.count > open.options.recipientsPerPage
            || open.isFull && routed.routes.contains { !$0.list.topics.isEmpty }
    }

    package init(open: OpenTransaction, knownKeys: Set<EventKey>? = nil) {
        (self.open, self.knownKeys) = (open, knownKeys)
    }
}
