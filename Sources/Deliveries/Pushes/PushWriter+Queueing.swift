package import Inbox
import Push
import Store

extension PushWriter {
    /// Queues a push of a new notification to each of the user's devices that gets pushes of its app.
    /// - Parameter row: the row of the notification's content.
    package func queue(
        _ notification: Int64, _ content: PushContent, row: Int64, of type: NotificationType, for event: Event,
        at now: Timestamp, in inbox: InboxRecord, of user: UserID
    ) throws -> PushDecision {
        let policy = type.pushPolicy(for: event)
        guard policy.when != .never else { return .never(byEvent: type.push.when != .never) }
        let targets = try targets(of: notification, in: inbox, app: content.app)
        if targets.isEmpty { return .noDevice }
        var windowEnd: Timestamp?
        if policy.timing == .trailing, let window = type.batchWindow {
            // The window is one of event time, and must not make a push wait longer than the window itself.
            let age = event.occurredAt.map { max(now - $0, .zero) } ?? .zero
            windowEnd = open.present(now) - age + window
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

    /// Pushes a grown batch again if the type's timing is ``PushPolicy/Timing/each`` and the earlier push says too
    /// little by now. The push takes the earlier one's place on the screen.
    ///
    /// - Parameter inbox: its state after the growth.
    package func grew(
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
        // No session hears of a push-only notification, so none acknowledges it.
        let seq = PushOnlyNumber.isOne(notification) ? nil : inbox.state.seq
        let outdated = try targets.filter { target in
            guard case .waiting = try trace(device: target.row, notification: notification) else {
                return true
            }
            let isOnLease = try open.turns.isOnLease(
                device: target.row, notification: notification, target.provider)
            // A waiting push says everything when it leaves.
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
            let follows = try open.turns.follow(with: job, target.provider)
            if !follows { try renew(job, target.provider) }
        }
    }

    /// Empty for a notification whose number has no place in the queue.
    private func targets(
        of notification: Int64, in inbox: InboxRecord, app: String
    ) throws -> [DeviceTarget] {
        guard PushJobNumber.notifications.contains(notification) else { return [] }
        return try open.devices.targets(inbox: inbox.id, app: app)
    }

    /// Queues the pushes that were to follow one that is no longer on its way, except for notifications that are over.
    package func renew(_ lease: PushLeases.Lease) throws {
        guard lease.hasRenewals, let device = try open.device(row: lease.place.device) else { return }
        for renewal in lease.renewals where try !isOver(renewal.notification, inbox: device.inbox) {
            try renew(renewal, device.device.provider)
        }
    }

    /// Whether a notification was read or removed. A push-only one can only be removed.
    package func isOver(_ notification: Int64, inbox: Int64) throws -> Bool {
        try open.notifications.record(inbox: inbox, id: notification)?.isRead ?? true
    }

    /// Pushes a notification again, unless a push of it waits: that one says everything when it leaves.
    private func renew(_ job: NewPushJob, _ provider: Device.Provider) throws {
        switch try trace(device: job.device, notification: job.notification) {
        case .waiting:
            guard let seq = job.seq else { return }
            return try open.pushRenewals.grow(device: job.device, notification: job.notification, to: seq)
        case nil: return try open.queue(job, provider)
        case .shown(let mark):
            guard let device = try open.device(row: job.device) else { return }
            let name = NotificationID(inbox: device.inbox, sequence: job.notification)
            let place = try queueAgain(job, of: name, provider, mark)
            open.note(mark, inbox: device.inbox, on: device.device)
            try open.noteQueued(place, provider)
        }
    }

    private func trace(device: Int64, notification: Int64) throws -> PushTrace? {
        if try open.pushRenewals.waits(device: device, notification: notification) { return .waiting }
        return try open.pushMarks.mark(device: device, notification: notification).map(PushTrace.shown)
    }

    /// Makes a waiting job of a shown push.
    ///
    /// The later push takes the place of the one on the screen, by its collapse id. Where a fold has that id, others
    /// would be replaced, too: then the later push leaves under another one.
    private func queueAgain(
        _ job: NewPushJob, of name: NotificationID, _ provider: Device.Provider, _ mark: PushMark
    ) throws -> PushTurns.Place {
        _ = try open.pushMarks.take([mark.notification], device: job.device)
        var (next, shownAs) = (mark.collapse, String?.none)
        if let collapse = mark.collapse, try isShared(collapse, job) {
            // Its own id may be that of a fold that others need: of this one, or of one before it.
            next =
                try job.collapse ?? (isShared(name.text, job) ? CollapseID.besideFold(of: name, at: job.seq ?? 0) : nil)
            shownAs = collapse == next ? nil : collapse
        }
        return try open.pushRenewals.insert(job, provider, collapse: next, shownAs: shownAs)
    }

    /// Whether others on the job's device have that collapse id.
    private func isShared(_ collapse: String, _ job: NewPushJob) throws -> Bool {
        let waiting = try open.pushRenewals.collapseIDs(device: job.device, except: job.notification)
        let shown = try open.pushMarks.marks(device: job.device).compactMap(\.collapse)
        return (waiting + shown).contains { ExactText($0) == ExactText(collapse) }
    }

    // MARK: When it leaves

    /// The occasion of a push.
    private struct Occasion {
        let notification: Int64
        let content: PushContent
        /// The content's row, for a new notification.
        let newContent: Int64?
        let type: NotificationType
        let policy: PushPolicy
        let event: Event
        /// When a batch's window ends, if the push waits for it.
        let windowEnd: Timestamp?
        /// Its acknowledgement cancels the push; nil for the notification's own number.
        let seq: Int64?
    }

    private func send(
        _ occasion: Occasion, to targets: [DeviceTarget], at asked: Timestamp, in inbox: InboxRecord,
        of user: UserID, queue: (NewPushJob, DeviceTarget) throws -> Void
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
            try policy.when == .fallback && !PushOnlyNumber.isOne(occasion.notification) && open.isLive(user)
        guard let due = policy.due(at: now, isLive: isLive, grace: open.options.grace) else { return nil }
        var plan = PushPlan(due: due, isLive: isLive, at: now)
        plan.wait(until: occasion.event.notBefore, .notBefore)
        // An urgent push neither waits for others nor hides among them.
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

    /// The fold key of an app's pushes that wait until their owner may be disturbed again. No type has such a name.
    package static func heldKey(app: String) -> String { heldPrefix + app }

    package static func isHeldKey(_ key: String) -> Bool { key.hasPrefix(heldPrefix) }

    private static let heldPrefix = "*held:"

    /// Moves held pushes after a change of settings or time zone: each leaves as soon as it now may. A push that now
    /// has to wait longer is put off again when it is due.
    ///
    /// - Parameter inbox: with the new settings.
    package func replan(_ inbox: InboxRecord, at now: Timestamp) throws {
        guard inbox.devices > 0 else { return }
        // Nearly all held pushes would have left by now.
        let free = inbox.person?.hold(at: now)?.end ?? now
        for device in try open.devices.records(inbox: inbox.id) {
            let provider = device.device.provider
            for job in try open.pushHolds.held(device: device.row) {
                let due = job.from <= now ? free : inbox.person?.hold(at: job.from)?.end ?? job.from
                let isOnLease = try open.turns.isOnLease(
                    device: device.row, notification: job.place.notification, provider)
                guard due < job.place.availableAt, !isOnLease else { continue }
                try open.noteQueued(open.pushHolds.move(job.place, provider, to: due), provider)
            }
        }
    }
}
