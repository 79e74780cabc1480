package import Inbox
package import Push
package import Store

/// Ends leases with the outcomes of their pushes.
package struct PushSettling {
    package let open: OpenTransaction
    package let now: Timestamp

    package init(open: OpenTransaction, now: Timestamp) { (self.open, self.now) = (open, now) }

    package func settle(_ outcomes: [PushOutcome]) throws {
        // The inboxes are locked in one order, before any of their jobs and marks changes.
        try open.expect { .people(outcomes.map(\.job.user)) }
        // By index: taking an outcome out would copy it.
        let leases = try leases(of: outcomes)
        let isSettled = try settleTogether(outcomes, leases)
        for place in outcomes.indices where !isSettled[place] { try settle(outcomes[place], leases[place]) }
    }

    /// The lease of each outcome, nil where it is over. Ends the leases of final outcomes, all at once, as nearly all
    /// are final and of one provider. Two are of one device only if the first one's lease was over and the job was
    /// handed out again.
    private func leases(of outcomes: [PushOutcome]) throws -> [PushLeases.Lease?] {
        var leases: [PushLeases.Lease?] = []
        leases.reserveCapacity(outcomes.count)
        var rest = outcomes[...]
        while let first = rest.first {
            let provider = first.job.target.device.provider
            let run = rest.prefix { $0.job.target.device.provider == provider }
            leases += try open.turns.leases(
                run.indices.map { (run[$0].job.lease, ends: run[$0].action.isFinal) }, provider, at: now)
            rest = rest.dropFirst(run.count)
        }
        return leases
    }

    /// A push that was cancelled on its way is settled already, except for what is on the screen now.
    private func settle(_ outcome: PushOutcome, _ lease: PushLeases.Lease?) throws {
        let (job, attempt) = (outcome.job, outcome.attempt)
        let action = outcome.action.moved(by: open.clockMoved - attempt.clockMoved)
        let (id, provider) = (job.lease, job.target.device.provider)
        // An earlier outcome may have removed the device.
        guard let lease, let known = try open.device(row: lease.place.device) else {
            return try settleLate(job, as: action, attempt: attempt)
        }
        let device = known.row
        if action != .finish { note(action, of: job, attempt: attempt) }
        tellWebhooks(of: action, of: job)
        switch action {
        case .finish:
            if job.message.shared != nil {
                try finish(job, known, lease)
                if let newest = lease.parts.last { try trimMarks(of: job, device: device, newest: newest) }
            } else {
                try finishBadge(job, known, lease)
            }
            try writer.renew(lease)
        case .abandon:
            for part in lease.parts { try open.giveUp(device: device, notification: part, provider) }
            try writer.renew(lease)
        case .retry(let due) where attempt == job.attempt && due <= now:
            // It was not tried, and keeps its place.
            try giveBack(id, lease, of: provider)
        case .retry(let due):
            let left = try lease.parts.compactMap { part in
                try open.pushJobs.putOff(
                    device: device, notification: part, provider, to: due, failures: attempt.failures)
            }
            if !left.isEmpty {
                try open.turns.putOff(id, provider, to: left)
                open.tellPush(provider, due: due)
                return try writer.renew(lease)
            }
            try open.turns.end(id, provider)
            // The push may have arrived although its answer was lost.
            if let inbox = job.message.notification?.inbox {
                let isOver = try lease.parts.contains { try writer.isOver($0, inbox: inbox) }
                if isOver { try withdraw(job, device: device) }
            }
            try writer.renew(lease)
        case .forgetDevice:
            if try forget(job, device: device) { return }
            // The device has another token by now, with which the push was not tried.
            try giveBack(id, lease, of: provider)
        }
    }

    private func giveBack(_ id: Int64, _ lease: PushLeases.Lease, of provider: Device.Provider) throws {
        try open.turns.giveBack(id, provider)
        open.tellPush(provider, due: now)
        // A job that was cancelled meanwhile does not come back.
        try writer.renew(lease)
    }

    private var writer: PushWriter { PushWriter(open: open) }

    // MARK: Accepted pushes

    private func finishBadge(_ job: PushJob, _ device: KnownDevice, _ lease: PushLeases.Lease) throws {
        let place = lease.place.notification
        let gathered = try open.pushJobs.badges(device: device.row).first { $0.place == place }?.withdrawn ?? []
        _ = try open.pushJobs.delete(device: device.row, notification: place, job.target.device.provider)
        guard let badge = device.badge else { return }
        try open.write(.init(number: job.message.badge, rule: badge.rule), of: device)
        if lease.isOvertaken { try checkBadge(job, device: device.row, rule: badge.rule) }
        // Ids without room in it leave with the next push, a pause later.
        let told = Set(job.message.withdrawn)
        let rest = gathered.filter { !told.contains($0) }
        if !rest.isEmpty { try withdraw(rest, of: job, device: device.row) }
    }

    private func finish(_ job: PushJob, _ device: KnownDevice, _ lease: PushLeases.Lease) throws {
        // The mark of a push for one notification tells the trail when it was accepted.
        let isToldByMark = lease.parts.count == 1 && job.target.device.provider.takesSilentPushes
        if !isToldByMark { note(.sent, of: job) }
        try finish(
            job, device, of: job.target.device.provider, parts: lease.parts, leaving: lease.leaving,
            isOvertaken: lease.isOvertaken, sentAt: isToldByMark ? now : nil)
    }

    /// - Parameters:
    ///   - provider: the device's current one.
    ///   - leaving: as in ``PushLeases/Lease``.
    ///   - sentAt: for the mark; nil if a step of the trail says it.
    package func finish(
        _ job: PushJob, _ known: KnownDevice, of provider: Device.Provider, parts: some Collection<Int64>,
        leaving: [String], isOvertaken: Bool, sentAt: Timestamp?
    ) throws {
        let device = known.row
        guard let rule = job.message.shared?.content.badge, let inbox = job.message.notification?.inbox else { return }
        if !job.target.device.provider.takesSilentPushes {
            for part in parts { _ = try open.pushJobs.delete(device: device, notification: part, provider) }
            return
        }
        var isPartOver = false
        var shown: [PushMark] = []
        for part in parts {
            let mark = mark(of: job, part, isAlone: parts.count == 1, sentAt: sentAt)
            if try open.pushJobs.delete(device: device, notification: part, provider) {
                if parts.count == 1 {
                    try open.pushMarks.add(mark, device: device)
                } else {
                    shown.append(mark)
                }
                continue
            }
            // Cancelled on its way: acknowledged and still unread, or over.
            if try writer.isOver(part, inbox: inbox) {
                isPartOver = true
                if let sentAt { open.trail.note(.sent, of: part, inbox: inbox, on: job.device, at: sentAt) }
            } else {
                try open.pushMarks.put(mark, device: device)
            }
        }
        try open.pushMarks.add(shown, device: device)
        try open.write(.init(number: job.message.badge, rule: rule), of: known)
        if isOvertaken { try checkBadge(job, device: device, rule: rule) }
        if isPartOver { try withdraw(job, device: device) }
        // Earlier pushes may have left these on the screen, where no part that went has withdrawn them.
        if !leaving.isEmpty { try withdraw(leaving, of: job, device: device) }
    }

    /// The mark of an accepted push for one of its notifications.
    /// - Parameter isAlone: whether the push stands for no other notification.
    package func mark(of job: PushJob, _ part: Int64, isAlone: Bool = true, sentAt: Timestamp?) -> PushMark {
        PushMark(
            notification: part, provider: job.target.device.provider,
            collapse: isAlone && isOwnCollapseID(of: job, part) ? nil : job.message.collapseID, sentAt: sentAt)
    }

    /// Whether a push has this notification's id as its collapse id.
    private func isOwnCollapseID(of job: PushJob, _ part: Int64) -> Bool {
        guard let notification = job.message.notification else { return false }
        let own = NotificationID(inbox: notification.inbox, sequence: part)
        return job.message.hasOwnCollapseID ? notification == own : job.message.collapseID == own.text
    }

    /// Removes older marks of the device, if it is time for that.
    /// - Parameter newest: the last notification of the push.
    package func trimMarks(of job: PushJob, device: Int64, newest: Int64) throws {
        guard MarkTrimming.isDue(device: device, newest: newest) else { return }
        let trimmed = try open.pushMarks.trim(device: device, upTo: newest, keeping: open.options.marksKept)
        guard let inbox = job.message.notification?.inbox else { return }
        for mark in trimmed { open.note(mark, inbox: inbox, on: job.device) }
    }

    /// Corrects the icon if something was read while the push was on its way: until now the icon showed the number
    /// before the push. A number that has grown since comes with a push of its own.
    private func checkBadge(_ job: PushJob, device: Int64, rule: BadgeRule) throws {
        guard rule.number(of: try open.inbox(of: job.user).state) < job.message.badge else { return }
        try correctBadge(job, device: device, withdrawing: [])
    }

    /// Takes the push from the screen, unless one of its notifications is still unread.
    private func withdraw(_ job: PushJob, device: Int64) throws {
        try withdraw([job.message.collapseID], of: job, device: device)
    }

    private func withdraw(_ ids: [String], of job: PushJob, device: Int64) throws {
        let screen = DeviceScreen(try open.shown(device: device))
        let gone = ids.filter { !screen.shows($0) }
        if !gone.isEmpty { try correctBadge(job, device: device, withdrawing: gone) }
    }

    private func correctBadge(_ job: PushJob, device: Int64, withdrawing ids: [String]) throws {
        guard let record = try open.devices.record(row: device) else { return }
        try writer.correctBadge(of: record, in: open.inbox(of: job.user), withdrawing: ids, at: now)
    }

    // MARK: Devices that are gone

    /// Forgets the device, unless it has registered again since.
    /// - Returns: whether the device is gone.
    package func forget(_ job: PushJob, device: Int64) throws -> Bool {
        guard let known = try open.devices.record(row: device) else { return true }
        // It has registered since, with another token or again with this one.
        guard (known.device.provider, known.device.token) == (job.target.device.provider, job.device.token),
            known.device.lastSeenAt <= job.device.lastSeenAt
        else { return false }
        note(.deviceGone, of: job)
        open.tellWebhooks(ofVerdict: "gone", job, at: now)
        open.tellWebhooks(ofGone: known.device, of: job.user, inbox: known.inbox, at: now)
        try DeviceWriter(open: open).forget(known)
        return true
    }
}

extension PushAction {
    /// Whether nothing of the job stays in the queue.
    fileprivate var isFinal: Bool {
        switch self {
        case .finish, .abandon: true
        case .retry, .forgetDevice: false
        }
    }
}
