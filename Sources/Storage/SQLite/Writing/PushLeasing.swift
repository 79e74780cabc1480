import Inbox
import Push

/// Hands out the pushes of one provider that are due.
struct PushLeasing {
    /// So many jobs at most are looked at without one being handed out: nobody waits long behind a backlog.
    private static let stepLimit = 4_096
    /// The queue is walked at least so many jobs at a time.
    private static let stride = 64

    let open: OpenTransaction
    let provider: Device.Provider
    let now: Timestamp
    /// When the leases end.
    let end: Timestamp

    func lease(_ limit: Int) throws -> LeasedPushJobs {
        let ended = try open.withTurns(of: provider) { turns in
            // The clock was set back: what lies between was found as due, and is to wait again.
            if let walkedTo = turns.walkedTo, walkedTo.availableAt > now {
                turns = PushTurns(leases: turns.leases, putOff: try open.pushJobs.putOff(provider: provider))
            }
            return turns.endLeases(at: now)
        }
        for lease in ended { try PushWriter(open: open).renew(lease) }
        return try open.withTurns(of: provider) { turns in try lease(limit, &turns) }
    }

    private func lease(_ limit: Int, _ turns: inout PushTurns) throws -> LeasedPushJobs {
        var jobs: [PushJob] = []
        var steps = 0
        while jobs.count < limit, steps < Self.stepLimit {
            let wanted = try next(min(limit - jobs.count, PushJobLookup.mostJobs), &turns, &steps)
            if !wanted.isEmpty {
                let before = jobs.count
                try take(wanted, &turns, &jobs)
                steps += wanted.count - (jobs.count - before)
                continue
            }
            let places = try open.pushJobs.due(
                at: now, provider: provider, after: turns.walkedTo, limit: max(Self.stride, limit - jobs.count))
            if places.isEmpty { break }
            steps += max(0, places.count - (limit - jobs.count))
            for place in places { turns.found(place) }
        }
        if steps >= Self.stepLimit { return LeasedPushJobs(jobs: jobs, nextDue: now) }
        // What is due and was not handed out waits for another job of its device, or for room: settling those leads back.
        let nextDue = try open.pushJobs.nextDue(after: now, provider: provider)
        return LeasedPushJobs(jobs: jobs, nextDue: [nextDue, turns.leases.earliestEnd].compactMap(\.self).min())
    }

    /// The next jobs whose turn it is, at most `count`, each of another device: what becomes of one changes nothing of the
    /// others. None if the walk must go on.
    private func next(
        _ count: Int, _ turns: inout PushTurns, _ steps: inout Int
    ) throws -> [PushJobLookup.Wanted] {
        var wanted: [PushJobLookup.Wanted] = []
        while wanted.count < count, steps < Self.stepLimit, let place = turns.next() {
            guard let device = try open.device(row: place.device) else {
                steps += 1
                turns.pass(place)
                continue
            }
            if wanted.isEmpty { wanted.reserveCapacity(count) }
            wanted.append(.init(place: place, device: device, inbox: try open.inbox(of: device.user)))
        }
        return wanted
    }

    /// Hands out those of the jobs that still wait and are to leave.
    private func take(
        _ wanted: [PushJobLookup.Wanted], _ turns: inout PushTurns, _ jobs: inout [PushJob]
    ) throws {
        var records = try open.pushJobs.records(wanted)[...]
        for index in wanted.indices {
            let place = wanted[index].place
            if let record = records.first, record.place == place {
                records.removeFirst()
                if let job = try job(record, &turns) {
                    jobs.append(job)
                    continue
                }
            }
            turns.pass(place)
        }
    }

    /// The job as it looks at this moment; nil if there is nothing left to push, or nobody to push it to.
    private func job(_ record: PushJobRecord, _ turns: inout PushTurns) throws -> PushJob? {
        let place = record.place
        guard record.availableAt == place.availableAt else { return nil }
        guard record.expiry > now, record.device.target.device.permission != .denied else {
            try giveUp(place)
            if record.expiry <= now { note(.expired, of: place, record) }
            return nil
        }
        if try keepBack(place, record) { return nil }
        if let key = record.foldKey, place.notification > 0 {
            return try job(of: fold(key, at: place, record), record, &turns)
        }
        let isBadge = place.notification < 0
        guard
            let message = isBadge
                ? try badge(record) : try message(place.notification, record, collapse: record.collapse)
        else {
            try giveUp(place)
            return nil
        }
        let leaving = record.isShown ? leaving([Self.part(place, record)], message, record) : []
        let part = PushJob.Part(
            id: turns.begin(place, leaving: leaving, until: end), notification: message.notification)
        return PushJob(
            part, to: record.device.target, message: message,
            attempt: PushAttempt(failures: record.failures, expiry: message.expiry))
    }

    /// As above, of several jobs that leave as one.
    private func job(
        of parts: [PushFoldTable.Part], _ record: PushJobRecord, _ turns: inout PushTurns
    ) throws -> PushJob? {
        let place = record.place
        let notifications = parts.map(\.notification)
        guard let message = try folded(parts, at: place, record), let first = notifications.first else {
            for notification in notifications {
                try open.pushJobs.giveUp(device: place.device, notification: notification, provider)
            }
            return nil
        }
        let id = turns.begin(
            place, parts: PushParts(first, and: Array(notifications.dropFirst())),
            leaving: leaving(parts, message, record), until: end)
        let all = notifications.enumerated().map { offset, notification in
            PushJob.Part(
                id: id + Int64(offset),
                notification: NotificationID(inbox: record.device.inbox, sequence: notification))
        }
        return PushJob(
            all[0], and: Array(all.dropFirst()), to: record.device.target, message: message,
            attempt: PushAttempt(failures: parts.reduce(0) { max($0, $1.failures) }, expiry: message.expiry))
    }

    /// The collapse ids under which earlier pushes of these parts are on the screen that this one does not replace.
    private func leaving(
        _ parts: [PushFoldTable.Part], _ message: PushMessage, _ record: PushJobRecord
    ) -> [String] {
        parts.compactMap { $0.place(inbox: record.device.inbox) }.filter { $0 != message.collapseID }
    }

    private func giveUp(_ place: PushTurns.Place) throws {
        try open.pushJobs.giveUp(device: place.device, notification: place.notification, provider)
    }

    /// Its owner is not to be disturbed at this moment, which was not known when it was queued: settings change, and a push
    /// that is tried again comes later than it was to. What was tried before may be on the screen, so it keeps its
    /// collapse id and its company.
    private func keepBack(_ place: PushTurns.Place, _ record: PushJobRecord) throws -> Bool {
        guard let hold = record.inbox.person?.hold(at: now), let notification = record.notification,
            let content = try open.content(notification.content).push, content.urgency != .urgent
        else { return false }
        // Waiting does not use up the time for which it is worth sending.
        let later = record.expiry + (hold.end - now)
        let expiry = min(later, record.deadline ?? later)
        guard hold.end < expiry else {
            try giveUp(place)
            note(.expired, of: place, record)
            return true
        }
        let isNew = record.fold == nil && record.failures == 0
        try open.pushHolds.hold(
            device: place.device, notification: place.notification, until: hold.end, expiry: expiry,
            foldKey: isNew ? PushWriter.heldKey(app: content.app) : record.foldKey)
        note(.putOff(until: hold.end, hold.cause == .snooze ? .snooze : .quietHours), of: place, record)
        return true
    }

    /// Nothing is noted of a push that only sets a number.
    private func note(_ step: TrailStep, of place: PushTurns.Place, _ record: PushJobRecord) {
        guard place.notification > 0 else { return }
        let device = record.device
        open.trail.note(step, of: place.notification, inbox: device.inbox, on: device.device, at: now)
    }

    // MARK: Messages

    /// Nil if the icon shows the right number already and nothing is to be withdrawn.
    private func badge(_ record: PushJobRecord) throws -> PushMessage? {
        guard let badge = record.device.badge else { return nil }
        let state = record.inbox.state
        let number = badge.rule.number(of: state)
        // A later push may show under an id that was to go.
        let withdrawn = try record.withdrawn.filter { id in
            try !open.pushMarks.shows(device: record.device.row, collapse: id)
        }
        guard number != badge.number || !withdrawn.isEmpty else { return nil }
        return PushMessage(
            content: nil, badge: number, notification: nil, collapseID: CollapseID.badge,
            position: PushMessage.Position(epoch: state.epoch, seq: state.seq), withdrawn: withdrawn,
            expiry: record.expiry)
    }

    /// - Parameter collapse: nil for the notification's own.
    func message(_ number: Int64, _ record: PushJobRecord, collapse: String?) throws -> PushMessage? {
        guard let notification = record.notification,
            let shared = try open.content(notification.content).sharedPush
        else { return nil }
        let state = record.inbox.state
        let id = NotificationID(inbox: record.device.inbox, sequence: number)
        return PushMessage(
            shared: shared, badge: shared.content.badge.number(of: state), notification: id, rev: notification.rev,
            collapseID: collapse ?? CollapseID.other(shared),
            position: PushMessage.Position(epoch: state.epoch, seq: state.seq), expiry: record.expiry,
            group: try group(shared, with: [number], on: record.device))
    }

    /// The notifications of the content's group that the device shows once it has this push.
    /// - Parameter parts: those that this push stands for.
    func group(
        _ shared: SharedPushContent, with parts: @autoclosure () -> [Int64], on device: KnownDevice
    ) throws -> PushMessage.Group? {
        guard let text = shared.content.groupText, let group = shared.content.group else { return nil }
        var members = Set(parts())
        for shown in try open.pushMarks.contents(device: device.row, inbox: device.inbox) {
            guard !members.contains(shown.notification), let other = try open.content(shown.content).push,
                other.group.map({ ExactText($0) }) == ExactText(group), other.app == shared.content.app
            else { continue }
            members.insert(shown.notification)
        }
        return PushMessage.Group(count: members.count, text: text.text(count: members.count))
    }
}
