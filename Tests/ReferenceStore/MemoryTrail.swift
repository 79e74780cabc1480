import Deliveries
import Inbox
import JSON
import Store

/// The trail, and the keys and broadcasts of its events.
final class MemoryTrail: MemoryPart, TrailRows {
    /// Changes each row that is meant.
    private func change(
        where isMeant: (MemoryState.TrailedEvent) -> Bool, _ body: (inout MemoryState.TrailedEvent) -> Void
    ) {
        for place in state.events.indices where isMeant(state.events[place]) { body(&state.events[place]) }
    }

    private func rows(_ key: String, _ publisher: String) -> [MemoryState.TrailedEvent] {
        state.events.filter { ($0.head.key?.isExactly(key) ?? false) && $0.head.publisher.isExactly(publisher) }
            .sorted { ($1.place.event, $0.place.page) < ($0.place.event, $1.place.page) }
    }

    func keyed(_ key: String, by publisher: String) -> [TrailedKey] {
        rows(key, publisher).map { row in
            TrailedKey(
                place: row.place, type: row.head.type, time: row.head.occurredAt ?? row.head.acceptedAt,
                verdicts: row.verdicts, data: row.head.data, retracted: row.retracted)
        }
    }

    func newest(_ key: String, by publisher: String) -> String? { rows(key, publisher).first?.place.event }

    func unretracted(_ key: String, by publisher: String) -> [TrailedKey] {
        let open = state.events.filter { $0.retractedAt == nil }.map(\.place)
        return keyed(key, by: publisher).filter { open.contains($0.place) }
            .sorted { ($1.place.event, $1.place.page) < ($0.place.event, $0.place.page) }.prefix(2).map(\.self)
    }

    func isRetracted(_ event: String) -> Bool {
        state.events.contains { $0.place.event == event && ($0.retracted > 0 || $0.retractedAt != nil) }
    }

    func write(_ recorder: TrailRecorder) {
        for gathering in recorder.gatherings {
            if let head = gathering.head {
                state.events.append(
                    .init(
                        place: TrailPlace(event: gathering.event, page: 0), head: head, use: gathering.use,
                        verdicts: gathering.verdicts))
            } else {
                addPage(of: gathering.event, gathering.verdicts)
            }
        }
        for (event, time) in recorder.repeats {
            change {
                $0.place == TrailPlace(event: event, page: 0)
            } _: {
                $0.repeats.append(time)
            }
        }
        state.steps += recorder.steps
    }

    private func addPage(of event: String, _ verdicts: TrailVerdicts) {
        let pages = state.events.filter { $0.place.event == event }
        guard let first = pages.first(where: { $0.place.page == 0 }), let last = pages.map(\.place.page).max()
        else { return }
        let place = TrailPlace(event: event, page: last + 1)
        state.events.append(.init(place: place, head: first.head, verdicts: verdicts))
    }

    func writeProgress(_ retracted: Int, end: Timestamp?, at place: TrailPlace) {
        change {
            $0.place == place
        } _: {
            ($0.retracted, $0.retractedAt) = (retracted, end)
        }
    }

    func events(after place: TrailPlace, limit: Int) -> [SweptEvent] {
        let next = state.events.sorted { ($0.place.event, $0.place.page) < ($1.place.event, $1.place.page) }
            .filter { ($0.place.event, $0.place.page) > (place.event, place.page) }
        return next.prefix(limit).map { row in
            SweptEvent(
                place: row.place, acceptedAt: row.head.acceptedAt, isKeyed: row.head.key != nil,
                hasUse: row.use != nil, isRetracted: row.retractedAt != nil)
        }
    }

    func verdicts(at place: TrailPlace) -> TrailVerdicts? { state.events.first { $0.place == place }?.verdicts }

    func write(_ verdicts: TrailVerdicts, at place: TrailPlace) {
        change {
            $0.place == place
        } _: {
            $0.verdicts = verdicts
        }
    }

    func remove(at place: TrailPlace) { state.events.removeAll { $0.place == place } }

    func removeSteps(before time: Timestamp, limit: Int) -> Int {
        let old = Set(state.steps.indices.prefix(limit).filter { state.steps[$0].at < time })
        state.steps = state.steps.indices.filter { !old.contains($0) }.map { state.steps[$0] }
        return old.count
    }

    func remove(inbox: Int64, limit: Int) -> Int {
        let places = Array(state.steps.indices.filter { state.steps[$0].inbox == inbox }.prefix(limit))
        for place in places.reversed() { state.steps.remove(at: place) }
        return places.count
    }
}

extension MemoryTrail: KeyRows {
    func known(among keys: [EventKey]) -> Set<EventKey> {
        let known = state.events.compactMap { row in row.head.key.map { EventKey($0, of: row.head.publisher) } }
        return Set(keys).intersection(known)
    }

    func use(of key: String, by publisher: String, at now: Timestamp, lifetime: Duration) -> KeyUse? {
        rows(key, publisher).last { $0.use != nil && $0.head.acceptedAt > now - lifetime }?.use
    }

    func update(_ outcome: PublishOutcome) {
        change {
            $0.place.event == outcome.event && $0.use != nil
        } _: { row in
            row.use = row.use.map { KeyUse(fingerprint: $0.fingerprint, outcome: outcome) }
        }
    }

    func remove(_ key: String, of publisher: String) {
        change {
            ($0.head.key?.isExactly(key) ?? false) && $0.head.publisher.isExactly(publisher)
        } _: {
            $0.use = nil
        }
    }
}

extension MemoryTrail: BroadcastRows {
    private func change(_ broadcast: Int64, _ body: (inout MemoryState.KeptBroadcast) -> Void) {
        for (event, var kept) in state.broadcasts where kept.record.id == broadcast {
            body(&kept)
            state.broadcasts[event] = kept
        }
    }

    func record(of event: String) -> BroadcastRecord? { state.broadcasts[event]?.record }
    func leaveOut(_ broadcast: Int64) {}

    func nextPage(of broadcast: Int64) -> BroadcastPage? {
        guard let kept = state.broadcasts.values.first(where: { $0.record.id == broadcast }),
            let page = kept.pages.first
        else { return nil }
        return BroadcastPage(
            id: page.id, recipients: JSONValue.object(page.recipients).encoded, isLast: kept.pages.count == 1)
    }

    func insert(
        _ entry: Publication.Entry, by publisher: String, everybody: (list: String, lastInbox: Int64)?, total: Int,
        suppressed: Int, at now: Timestamp
    ) -> Int64 {
        let id = (state.broadcasts.values.map(\.record.id).max() ?? 0) + 1
        let broadcast = Broadcast(
            event: entry.id, publisher: publisher, state: .working, isForEverybody: everybody != nil,
            total: total,
            suppressed: suppressed, acceptedAt: now)
        let event = entry.routed.event
        state.broadcasts[entry.id] = .init(
            record: BroadcastRecord(
                id: id, broadcast: broadcast, publisher: publisher, key: event.key,
                json: JSONValue.object(event.jsonWithoutRecipients).encoded, everybody: everybody?.list, afterInbox: 0,
                lastInbox: everybody?.lastInbox ?? 0, isDamaged: false))
        return id
    }

    func write(_ record: BroadcastRecord) { change(record.id) { $0.record = $0.record.progressed(to: record) } }

    func insertPage(_ recipients: JSONObject, of broadcast: Int64) {
        state.lastPage += 1
        let id = state.lastPage
        change(broadcast) { $0.pages.append((id, recipients)) }
    }

    func deletePage(_ id: Int64) {
        for event in state.broadcasts.keys { state.broadcasts[event]?.pages.removeAll { $0.id == id } }
    }

    func insertKnown(inbox: Int64, to broadcast: Int64) { change(broadcast) { $0.known.insert(inbox) } }

    func end(_ broadcast: Int64, at now: Timestamp, problem: String?) {
        change(broadcast) { kept in
            (kept.pages, kept.known) = ([], [])
            kept.record = kept.record.ended(at: now, problem: problem)
        }
    }

    func removeEnded(before time: Timestamp) {
        state.broadcasts = state.broadcasts.filter { kept in
            kept.value.record.broadcast.endedAt.map { $0 > time } ?? true
        }
    }

    func remove(_ user: UserID) {
        state.broadcasts = state.broadcasts.mapValues { kept in
            var kept = kept
            kept.pages = kept.pages.map { ($0.id, BroadcastPage.recipients($0.recipients, without: user)) }
            return kept
        }
    }
}

extension BroadcastRecord {
    fileprivate func progressed(to record: BroadcastRecord) -> BroadcastRecord {
        var next = self
        (next.afterInbox, next.broadcast.total) = (record.afterInbox, record.broadcast.total)
        next.broadcast.created = record.broadcast.created
        next.broadcast.updated = record.broadcast.updated
        next.broadcast.suppressed = record.broadcast.suppressed
        return next
    }

    fileprivate func ended(at now: Timestamp, problem: String?) -> BroadcastRecord {
        var broadcast = broadcast
        (broadcast.state, broadcast.endedAt) = (problem.map { .abandoned($0) } ?? .done, now)
        return BroadcastRecord(
            id: id, broadcast: broadcast, publisher: publisher, key: key, json: nil, everybody: everybody,
            afterInbox: afterInbox, lastInbox: lastInbox, isDamaged: false)
    }
}
