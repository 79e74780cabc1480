import Inbox
import Push

/// Ends leases with what became of the pushes.
struct PushSettling {
    let open: OpenTransaction
    let now: Timestamp

    func settle(_ outcomes: [PushOutcome]) throws {
        // By their places: one that is taken out is copied.
        let leases = try leases(of: outcomes)
        let isSettled = try settleTogether(outcomes, leases)
        for place in outcomes.indices where !isSettled[place] { try settle(outcomes[place], leases[place]) }
    }

    /// The lease of each, nil where that is over; those of what is final are ended by this. All at once, as nearly all
    /// are final and of one provider. Hardly ever are two of one device: where the first one's time was over, and the
    /// job was handed out once more.
    private func leases(of outcomes: [PushOutcome]) throws -> [PushLeases.Lease?] {
        var leases: [PushLeases.Lease?] = []
        leases.reserveCapacity(outcomes.count)
        var rest = outcomes[...]
        while let first = rest.first {
            let provider = first.job.target.device.provider
            let run = rest.prefix { $0.job.target.device.provider == provider }
            try open.withTurns(of: provider) { turns in
                for place in run.indices {
                    let id = run[place].job.lease
                    leases.append(run[place].action.isFinal ? turns.end(id) : turns.leases[id])
                }
            }
            rest = rest.dropFirst(run.count)
        }
        return leases
    }

    /// What was cancelled while it was on its way is settled by that, but for what is on the screen now.
    private func settle(_ outcome: PushOutcome, _ lease: PushLeases.Lease?) throws {
        let (job, action, attempt) = (outcome.job, outcome.action, outcome.attempt)
        let (id, provider) = (job.lease, job.target.device.provider)
        // An outcome before this one may have told that the device is gone.
        guard let lease, let known = try open.device(row: lease.place.device) else {
            return try settleLate(job, as: action, attempt: attempt)
        }
        let device = known.row
        if action != .finish { note(action, of: job, attempt: attempt) }
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
                try open.withTurns(of: provider) { $0.putOff(id, to: left) }
                open.tellPush(provider, due: due)
                return try writer.renew(lease)
            }
            _ = try open.withTurns(of: provider) { $0.end(id) }
            // An answer that was lost may have been a yes.
            if let inbox = job.message.notification?.inbox {
                let isOver = try lease.parts.contains { try writer.isOver($0, inbox: inbox) }
                if isOver { try withdraw(job, device: device) }
            }
            try writer.renew(lease)
        case .forgetDevice:
            if try forget(job, device: device) { return }
            // The device has another token by now, under which it has not been tried.
            try giveBack(id, lease, of: provider)
        }
    }

    private func giveBack(_ id: Int64, _ lease: PushLeases.Lease, of provider: Device.Provider) throws {
        try open.withTurns(of: provider) { $0.giveBack(id) }
        open.tellPush(provider, due: now)
        // Of what was cancelled meanwhile there is no job that comes back.
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
        // What found no room in it leaves with the next one, a pause later.
        let told = Set(job.message.withdrawn)
        let rest = gathered.filter { !told.contains($0) }
        if !rest.isEmpty { try withdraw(rest, of: job, device: device.row) }
    }

    private func finish(_ job: PushJob, _ device: KnownDevice, _ lease: PushLeases.Lease) throws {
        // The mark of a push that stands for itself alone tells the trail when it was accepted.
        let isToldByMark = lease.parts.count == 1 && job.target.device.provider != .webpush
        if !isToldByMark { note(.sent, of: job) }
        try finish(
            job, device, of: job.target.device.provider, parts: lease.parts, leaving: lease.leaving,
            isOvertaken: lease.isOvertaken, sentAt: isToldByMark ? now : nil)
    }

    /// - Parameters:
    ///   - provider: the device's of the moment.
    ///   - leaving: as in ``PushLeases/Lease``.
    ///   - sentAt: for the mark; nil if the trail has a step that says it.
    func finish(
        _ job: PushJob, _ known: KnownDevice, of provider: Device.Provider, parts: some Collection<Int64>,
        leaving: [String], isOvertaken: Bool, sentAt: Timestamp?
    ) throws {
        let device = known.row
        guard let rule = job.message.shared?.content.badge, let inbox = job.message.notification?.inbox else { return }
        // A browser gets no pushes that withdraw or only count, so what it shows need not be known.
        if job.target.device.provider == .webpush {
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
            // Cancelled on its way: it was acknowledged and is still to be read, or it is over.
            if try writer.isOver(part, inbox: inbox) {
                isPartOver = true
                if let sentAt { open.trail.note(.sent, of: part, inbox: inbox, on: job.device, at: sentAt) }
            } else {
                try open.pushMarks.put(mark, device: device)
            }
            // No job is left that would leave once more and tell it again.
            open.promise()
        }
        try open.pushMarks.add(shown, device: device)
        try open.write(.init(number: job.message.badge, rule: rule), of: known)
        if isOvertaken { try checkBadge(job, device: device, rule: rule) }
        if isPartOver { try withdraw(job, device: device) }
        // What earlier pushes have left on the screen, and no part has withdrawn by going.
        if !leaving.isEmpty { try withdraw(leaving, of: job, device: device) }
    }

    /// The mark of an accepted push for one of its notifications.
    /// - Parameter isAlone: whether it stands for no other.
    func mark(of job: PushJob, _ part: Int64, isAlone: Bool = true, sentAt: Timestamp?) -> PushMark {
        PushMark(
            notification: part, provider: job.target.device.provider,
            collapse: isAlone && isOwnCollapseID(of: job, part) ? nil : job.message.collapseID, sentAt: sentAt)
    }

    /// Whether a push has the name of this notification as its collapse id.
    private func isOwnCollapseID(of job: PushJob, _ part: Int64) -> Bool {
        guard let notification = job.message.notification else { return false }
        let own = NotificationID(inbox: notification.inbox, sequence: part)
        return job.message.hasOwnCollapseID ? notification == own : job.message.collapseID == own.text
    }

    /// Lets older marks of the device go, if it is time for that.
    /// - Parameter newest: the last notification of the push.
    func trimMarks(of job: PushJob, device: Int64, newest: Int64) throws {
        guard MarkTrimming.isDue(device: device, newest: newest) else { return }
        let trimmed = try open.pushMarks.trim(device: device, upTo: newest, keeping: open.options.marksKept)
        guard let inbox = job.message.notification?.inbox else { return }
        for mark in trimmed { open.note(mark, inbox: inbox, on: job.device) }
    }

    /// Something was read while the push was on its way: by then the icon still showed what it had shown before, so the
    /// correction is due only now. A number that has grown since comes with a push of its own.
    private func checkBadge(_ job: PushJob, device: Int64, rule: BadgeRule) throws {
        guard rule.number(of: try open.inbox(of: job.user).state) < job.message.badge else { return }
        try correctBadge(job, device: device, withdrawing: [])
    }

    /// Takes the push from the screen, unless something that it stands for is still to be read.
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

    /// Forgets the device, unless it has registered another token by now; tells whether it is gone.
    func forget(_ job: PushJob, device: Int64) throws -> Bool {
        guard let known = try open.devices.record(row: device) else { return true }
        // It has registered since, with another token or once more with this one.
        guard (known.device.provider, known.device.token) == (job.target.device.provider, job.device.token),
            known.device.lastSeenAt <= job.device.lastSeenAt
        else { return false }
        note(.deviceGone, of: job)
        try DeviceWriter(open: open).forget(known)
        return true
    }
}

extension PushAction {
    /// Whether nothing of the job is left in the queue.
    fileprivate var isFinal: Bool {
        switch self {
        case .finish, .abandon: true
        case .retry, .forgetDevice: false
        }
    }
}
