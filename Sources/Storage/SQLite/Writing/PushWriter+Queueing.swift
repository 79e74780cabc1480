import Inbox
import Push

extension PushWriter {
    /// Queues a push of a new notification to each of the user's devices that gets those of its app.
    /// - Parameter row: of the notification's content.
    func queue(
        _ notification: Int64, _ content: PushContent, row: Int64, of type: NotificationType, for event: Event,
        at now: Timestamp, in inbox: InboxRecord, of user: UserID
    ) throws -> PushDecision {
        let policy = type.pushPolicy(for: event)
        guard policy.when != .never else { return .never(byEvent: type.push.when != .never) }
        let targets = try targets(of: notification, in: inbox, app: content.app)
        if targets.isEmpty { return .noDevice }
        var windowEnd: Timestamp?
        if policy.timing == .trailing, let window = type.batchWindow {
            // The batch's window is one of the events' time, which must not make a push wait for longer than itself.
            windowEnd = min(event.occurredAt ?? now, now) + window
        }
        return try send(
            Occasion(
                notification: notification, content: content, newContent: row, type: type, policy: policy,
                event: event, windowEnd: windowEnd, seq: nil),
            to: targets, at: now, in: inbox, of: user
        ) { job, target in
            try open.queue(job, target.provider)
        }
    }

    /// A batch has taken one more event in: pushes it once more where the type's timing is ``PushPolicy/Timing/each``,
    /// and what was pushed says too little by now. The push takes the earlier one's place on the screen.
    ///
    /// - Parameter inbox: as it is with that.
    func grew(
        _ notification: Int64, _ content: Content, of type: NotificationType, for event: Event, at now: Timestamp,
        in inbox: InboxRecord, of user: UserID
    ) throws -> PushDecision {
        guard type.push.timing == .each, type.hasPush else { return .batched }
        guard inbox.devices > 0 else { return .noDevice }
        guard let content = content.push else { return .batched }
        let policy = type.pushPolicy(for: event)
        guard policy.when != .never else { return .never(byEvent: type.push.when != .never) }
        let targets = try targets(of: notification, in: inbox, app: content.app)
        if targets.isEmpty { return .noDevice }
        // No session is told of what is only pushed, so none acknowledges it.
        let seq = PushOnlyNumber.isOne(notification) ? nil : inbox.state.seq
        let outdated = try targets.filter { target in
            guard case .waiting = try open.pushRenewals.trace(device: target.row, notification: notification) else {
                return true
            }
            let isOnLease = try open.withTurns(of: target.provider) { turns in
                turns.isOnLease(device: target.row, notification: notification)
            }
            // What still waits says all when it leaves.
            if !isOnLease, let seq {
                try open.pushRenewals.grow(device: target.row, notification: notification, to: seq)
            }
            return isOnLease
        }
        if outdated.isEmpty { return .batched }
        return try send(
            Occasion(
                notification: notification, content: content, newContent: nil, type: type, policy: policy,
                event: event, windowEnd: nil, seq: seq),
            to: outdated, at: now, in: inbox, of: user
        ) { job, target in
            let follows = try open.withTurns(of: target.provider) { $0.follow(with: job) }
            if !follows { try renew(job, target.provider) }
        }
    }

    /// None for a notification that the queue has no number for.
    private func targets(
        of notification: Int64, in inbox: InboxRecord, app: String
    ) throws -> [DeviceTable.Target] {
        guard PushJobNumber.notifications.contains(notification) else { return [] }
        return try open.devices.targets(inbox: inbox.id, app: app)
    }

    /// Queues what was to follow a push that is not on its way any more, unless it was dealt with meanwhile.
    func renew(_ lease: PushLeases.Lease) throws {
        guard lease.hasRenewals, let device = try open.device(row: lease.place.device) else { return }
        // With the lease they are gone from memory, and nothing else knows of them.
        open.promise()
        for renewal in lease.renewals where try !isOver(renewal.notification, inbox: device.inbox) {
            try renew(renewal, device.device.provider)
        }
    }

    /// Whether a notification was read or removed. One that is only pushed can but be removed.
    func isOver(_ notification: Int64, inbox: Int64) throws -> Bool {
        try open.notifications.record(inbox: inbox, id: notification)?.isRead ?? true
    }

    /// Pushes a notification once more, unless a push of it waits: that says all when it leaves.
    private func renew(_ job: NewPushJob, _ provider: Device.Provider) throws {
        switch try open.pushRenewals.trace(device: job.device, notification: job.notification) {
        case .waiting:
            guard let seq = job.seq else { return }
            return try open.pushRenewals.grow(device: job.device, notification: job.notification, to: seq)
        case nil: return try open.queue(job, provider)
        case .shown(let mark):
            guard let device = try open.device(row: job.device) else { return }
            let name = NotificationID(inbox: device.inbox, sequence: job.notification)
            let place = try open.pushRenewals.renew(job, of: name, provider: provider, mark)
            open.note(mark, inbox: device.inbox, on: device.device)
            try open.noteQueued(place, provider)
        }
    }

    // MARK: When it leaves

    /// What a push is about.
    private struct Occasion {
        let notification: Int64
        let content: PushContent
        /// The content's row, of a notification that has just come.
        let newContent: Int64?
        let type: NotificationType
        let policy: PushPolicy
        let event: Event
        /// Of a batch that is gathered first.
        let windowEnd: Timestamp?
        /// Whose acknowledgement cancels it, where that is not the notification's own number.
        let seq: Int64?
    }

    private func send(
        _ occasion: Occasion, to targets: [DeviceTable.Target], at asked: Timestamp, in inbox: InboxRecord,
        of user: UserID, queue: (NewPushJob, DeviceTable.Target) throws -> Void
    ) throws -> PushDecision {
        let now = open.present(asked)
        let (policy, event) = (occasion.policy, occasion.event)
        guard let plan = try plan(occasion, at: now, in: inbox, of: user) else {
            return .never(byEvent: occasion.type.push.when != .never)
        }
        let expiry = policy.expiry(due: plan.due, lifetime: open.options.pushExpiry, expiresAt: event.expiresAt)
        guard plan.due < expiry else { return .expired }
        for target in targets {
            let job = NewPushJob(
                device: target.row, notification: occasion.notification, due: plan.due, expiry: expiry,
                content: occasion.newContent, isFallback: policy.when == .fallback, foldKey: plan.foldKey,
                collapse: occasion.content.replacementID, seq: occasion.seq, deadline: event.expiresAt,
                heldFrom: plan.heldFrom)
            try queue(job, target)
        }
        return .queued(devices: targets.count, due: plan.due, hold: plan.hold)
    }

    private func plan(
        _ occasion: Occasion, at now: Timestamp, in inbox: InboxRecord, of user: UserID
    ) throws -> PushPlan? {
        let policy = occasion.policy
        let isLive =
            policy.when == .fallback && !PushOnlyNumber.isOne(occasion.notification) && open.options.isLive(user)
        guard let due = policy.due(at: now, isLive: isLive, grace: open.options.grace) else { return nil }
        var plan = PushPlan(due: due, isLive: isLive, at: now)
        plan.wait(until: occasion.event.notBefore, .notBefore)
        // What breaks through neither waits for others nor hides among them.
        guard policy.urgency != .urgent else { return plan }
        plan.wait(until: occasion.windowEnd, .batch)
        let heldKey = Self.heldKey(app: occasion.content.app)
        if let kept = inbox.person?.hold(at: plan.due) {
            plan.keepBack(kept, foldKey: heldKey)
        } else if let limit = policy.perHour {
            let key = "\(occasion.type.name):\(occasion.content.group ?? "")"
            plan.wait(until: try pace(plan.due, limit: limit, inbox: inbox.id, foldKey: key), .pace)
            plan.foldKey = key
            if let kept = inbox.person?.hold(at: plan.due) { plan.keepBack(kept, foldKey: heldKey) }
        }
        return plan
    }

    private func pace(_ due: Timestamp, limit: Int, inbox: Int64, foldKey: String) throws -> Timestamp {
        var pace = try open.pushPaces.pace(inbox: inbox, foldKey: foldKey) ?? PushPace(start: due)
        let admitted = pace.admit(due, limit: limit)
        try open.pushPaces.write(pace, inbox: inbox, foldKey: foldKey)
        return admitted
    }

    // MARK: Quiet hours and snoozes

    /// What pushes of one app have in common that wait until their owner may be disturbed again. No type has such a
    /// name.
    static func heldKey(app: String) -> String { heldPrefix + app }

    static func isHeldKey(_ key: String) -> Bool { key.hasPrefix(heldPrefix) }

    private static let heldPrefix = "*held:"

    /// Somebody's settings, or their time zone, have changed: what was kept back leaves as soon as it may by now. What
    /// has to wait for longer than it was to, is found out when it is due.
    ///
    /// - Parameter inbox: with what holds now.
    func replan(_ inbox: InboxRecord, at now: Timestamp) throws {
        guard inbox.devices > 0 else { return }
        // Nearly all of them would have left by now.
        let free = inbox.person?.hold(at: now)?.end ?? now
        for device in try open.devices.records(inbox: inbox.id) {
            let provider = device.device.provider
            for job in try open.pushHolds.held(device: device.row) {
                let due = job.from <= now ? free : inbox.person?.hold(at: job.from)?.end ?? job.from
                let isOnLease = try open.withTurns(of: provider) { turns in
                    turns.isOnLease(device: device.row, notification: job.place.notification)
                }
                guard due < job.place.availableAt, !isOnLease else { continue }
                try open.noteQueued(open.pushHolds.move(job.place, provider, to: due), provider)
            }
        }
    }
}
