import Deliveries
import Inbox
import Push
import Store

extension MemoryTrail: TrailReads {
    private func row(_ kept: MemoryState.TrailedEvent) -> TrailRow {
        let event = TrailedEvent(
            id: kept.place.event, publisher: kept.head.publisher, key: kept.head.key, type: kept.head.type,
            actor: kept.head.actor, occurredAt: kept.head.occurredAt, acceptedAt: kept.head.acceptedAt,
            repeats: kept.repeats.count, repeatedAt: kept.repeats.last, retractedAt: kept.retractedAt,
            items: TrailedKey.items(kept.head.data).map { TrailedItem(feed: $0.feed, offset: $0.offset) },
            question: TrailedKey.question(kept.head.data))
        return TrailRow(event: event, verdicts: kept.verdicts, size: kept.verdicts.bytes.count)
    }

    /// In the order of events and pages.
    private var sorted: [MemoryState.TrailedEvent] {
        state.events.sorted { ($0.place.event, $0.place.page) < ($1.place.event, $1.place.page) }
    }

    func rows(ofEvent id: String) -> [TrailRow] { sorted.filter { $0.place.event == id }.map(row) }
    func event(_ id: String) -> TrailedEvent? { rows(ofEvent: id).first?.event }

    func forEachRow(before event: String?, _ visit: (TrailRow?) throws -> Bool) throws {
        for kept in sorted.reversed() where event.map({ kept.place.event < $0 }) ?? true {
            guard try visit(row(kept)) else { return }
        }
    }

    func forEachVerdicts(
        _ direction: TrailDirection, from event: String,
        _ visit: ((event: String, verdicts: TrailVerdicts, size: Int)?) throws -> Bool
    ) throws {
        let before = Array(sorted.prefix { $0.place.event < event }.reversed())
        let rest = Array(sorted.drop { $0.place.event < event })
        for kept in direction == .back ? before : rest {
            guard try visit((kept.place.event, kept.verdicts, kept.verdicts.bytes.count)) else { return }
        }
    }

    // MARK: Recipients

    func inbox(of user: UserID) -> Int64? { state.inboxes.first { $0.value.user == user }?.key }
    func user(ofInbox inbox: Int64) -> UserID? { state.inboxes[inbox]?.user }

    func state(of notification: NotificationID) -> TrailedRecipient.State {
        guard let record = state.notifications[notification]?.record else { return .gone }
        return record.isRead ? .read : record.isSeen ? .seen : .unseen
    }

    func times(of notification: NotificationID) -> StoredTimes? {
        state.notifications[notification].map { row in
            StoredTimes(
                storedAt: row.storedAt, createdAt: row.record.createdAt, rev: row.record.rev,
                isRaised: row.record.place != row.record.id)
        }
    }

    func steps(of notification: NotificationID, since start: Timestamp) -> [TrailedRecipient.Step] {
        let own = state.steps.filter { step in
            step.inbox == notification.inbox && step.notification == notification.sequence && step.at >= start
        }
        return own.flatMap { step in
            let told = TrailedRecipient.Step(
                at: step.at, step: step.step, provider: step.provider, device: step.device)
            // A withdrawn push may have been accepted without a step of its own.
            guard case .withdrawn = step.step, let time = step.sentAt else { return [told] }
            return [.init(at: time, step: .sent, provider: step.provider, device: step.device), told]
        }
    }

    func waiting(_ notification: NotificationID) -> [TrailedRecipient.Waiting] {
        guard PushJobNumber.notifications.contains(notification.sequence) else { return [] }
        return devices(of: notification).compactMap { device in
            let number = PushJobNumber(device: device.row, notification: notification.sequence)
            return state.jobs[number].map { job in
                .init(provider: device.device.provider, device: device.device.id, due: job.place.availableAt)
            }
        }
    }

    func sent(_ notification: NotificationID) -> [TrailedRecipient.Step] {
        devices(of: notification).flatMap { device in
            (state.marks[device.row] ?? []).filter { $0.notification == notification.sequence }.prefix(1)
                .compactMap { mark in
                    mark.sentAt.map { .init(at: $0, step: .sent, provider: mark.provider, device: device.device.id) }
                }
        }
    }

    private func devices(of notification: NotificationID) -> [DeviceRecord] {
        state.devices.values.filter { $0.inbox == notification.inbox }.sorted { $0.row < $1.row }
    }
}

extension MemoryTrail: BroadcastReads {
    func open() -> [String] {
        state.broadcasts.values.filter { $0.record.broadcast.endedAt == nil }.sorted { $0.record.id < $1.record.id }
            .map(\.record.broadcast.event)
    }

    func broadcast(of event: String) -> Broadcast? { state.broadcasts[event]?.record.broadcast }
}
