package import Inbox
package import Push
package import Store

/// Hands out the pushes of one provider that are due.
package struct PushLeasing {
    /// How many jobs are looked at without one being handed out: no write waits long behind a backlog.
    private static let stepLimit = 4_096

    package let open: OpenTransaction
    package let provider: Device.Provider
    package let now: Timestamp
    /// When the leases end.
    package let end: Timestamp

    package func lease(_ limit: Int) throws -> LeasedPushJobs {
        var jobs: [PushJob] = []
        var steps = 0
        try open.turns.beginLook(provider, at: now)
        while jobs.count < limit {
            let look = try open.turns.look(limit - jobs.count, provider, at: now)
            for lease in look.ended { try PushWriter(open: open).renew(lease) }
            steps += look.looked
            let earlier = jobs.count
            for record in try records(look.jobs) {
                if let job = try job(record) {
                    jobs.append(job)
                } else {
                    try open.turns.pass(record.place, provider)
                }
            }
            let handedOut = jobs.count - earlier
            // A row that was handed out does not count as one that was looked at.
            steps += look.jobs.count - 2 * handedOut
            if look.isLast, handedOut == look.jobs.count { break }
            if steps >= Self.stepLimit { return LeasedPushJobs(jobs: jobs, nextDue: now) }
        }
        // Due jobs that were not handed out wait for another job of their device, or for room. Settling those leads
        // back.
        return LeasedPushJobs(jobs: jobs, nextDue: try open.turns.nextDue(after: now, provider))
    }

    /// The jobs with what their pushes need; those of a device that is gone or damaged are passed over.
    private func records(_ rows: [PushJobRow]) throws -> [PushJobRecord] {
        if rows.isEmpty { return [] }
        try open.expect { .devices(rows.map(\.place.device)) }
        var found: [PushJobRecord] = []
        found.reserveCapacity(rows.count)
        for row in rows {
            if let device = try open.device(row: row.place.device) {
                found.append(PushJobRecord(row, device, try open.inbox(of: device.user)))
            } else {
                try open.turns.pass(row.place, provider)
            }
        }
        try findContents(of: found)
        return found
    }

    /// Looks up what the notifications say, for jobs that do not know it.
    package func findContents(of records: [PushJobRecord]) throws {
        let unknown = records.filter { $0.notification == nil && $0.place.notification > 0 }
        if unknown.isEmpty { return }
        let shown = try open.notifications.contents(unknown.map { ($0.inbox.id, $0.place.notification) })
        for (record, shown) in zip(unknown, shown) { record.notification = shown }
    }

    /// The job as it is now; nil if nothing is left to push, or nobody to push it to.
    private func job(_ record: PushJobRecord) throws -> PushJob? {
        let (place, row) = (record.place, record.row)
        if row.isDamaged {
            open.pushJobs.leaveOut(place)
            try giveUp(place)
            return nil
        }
        guard row.expiry > now, record.device.target.device.permission != .denied else {
            try giveUp(place)
            note(row.expiry <= now ? .expired : .dropped(.permission), of: place, record)
            return nil
        }
        if try keepBack(record) { return nil }
        if try dropUnwanted(record) { return nil }
        if let key = row.foldKey, place.notification > 0 { return try job(of: fold(key, record), record) }
        let isBadge = place.notification < 0
        guard
            var message = isBadge ? try badge(record) : try message(place.notification, record, collapse: row.collapse)
        else {
            try giveUp(place)
            return nil
        }
        message.isGrowth = row.isShown
        let leaving = row.isShown ? leaving([Self.part(row)], message, record) : []
        let part = PushJob.Part(
            id: try open.turns.begin(place, provider, parts: nil, leaving: leaving, until: end),
            notification: message.notification)
        return PushJob(
            part, to: record.device.target, message: message,
            attempt: PushAttempt(failures: row.failures, expiry: message.expiry, clockMoved: open.clockMoved))
    }

    /// One job for several parts that leave together; nil if none of them is left.
    private func job(of parts: [FoldPart], _ record: PushJobRecord) throws -> PushJob? {
        let place = record.place
        let notifications = parts.map(\.notification)
        guard let message = try folded(parts, record), let first = notifications.first else {
            for notification in notifications {
                try open.giveUp(device: place.device, notification: notification, provider)
            }
            return nil
        }
        let id = try open.turns.begin(
            place, provider, parts: PushParts(first, and: Array(notifications.dropFirst())),
            leaving: leaving(parts, message, record), until: end)
        let all = notifications.enumerated().map { offset, notification in
            PushJob.Part(
                id: id + Int64(offset),
                notification: NotificationID(inbox: record.device.inbox, sequence: notification))
        }
        return PushJob(
            all[0], and: Array(all.dropFirst()), to: record.device.target, message: message,
            attempt: PushAttempt(
                failures: parts.reduce(0) { max($0, $1.failures) }, expiry: message.expiry, clockMoved: open.clockMoved)
        )
    }

    /// The collapse ids of earlier pushes of these parts that are on the screen and that this push does not replace.
    private func leaving(
        _ parts: [FoldPart], _ message: PushMessage, _ record: PushJobRecord
    ) -> [String] {
        parts.compactMap { $0.place(inbox: record.device.inbox) }.filter { $0 != message.collapseID }
    }

    package func giveUp(_ place: PushTurns.Place) throws {
        try open.giveUp(device: place.device, notification: place.notification, provider)
    }

    /// Puts the push off if its owner may not be disturbed now. That was unknown when it was queued: settings change,
    /// and a retry comes later than planned. A push that was tried may be on the screen, so it keeps its collapse id
    /// and its fold.
    private func keepBack(_ record: PushJobRecord) throws -> Bool {
        let (place, row) = (record.place, record.row)
        guard let hold = record.inbox.person?.hold(at: now), let notification = record.notification,
            let content = try open.content(notification.content).push, content.urgency != .urgent
        else { return false }
        // Waiting does not use up the push's lifetime.
        let later = row.expiry + (hold.end - now)
        let expiry = min(later, row.deadline ?? later)
        guard hold.end < expiry else {
            try giveUp(place)
            note(.expired, of: place, record)
            return true
        }
        let isNew = row.fold == nil && row.failures == 0
        try open.pushHolds.hold(
            place, provider, until: hold.end, expiry: expiry,
            foldKey: isNew ? PushWriter.heldKey(app: content.app) : row.foldKey)
        note(.putOff(until: hold.end, hold.cause == .snooze ? .snooze : .quietHours), of: place, record)
        return true
    }

    /// A push that only sets a number leaves no step.
    package func note(_ step: TrailStep, of place: PushTurns.Place, _ record: PushJobRecord) {
        guard place.notification > 0 else { return }
        let device = record.device
        open.trail.note(step, of: place.notification, inbox: device.inbox, on: device.device, at: now)
    }

    // MARK: Messages

    /// Nil if the icon already shows the right number and nothing is to be withdrawn.
    private func badge(_ record: PushJobRecord) throws -> PushMessage? {
        guard let badge = record.device.badge else { return nil }
        let state = record.inbox.state
        let number = badge.rule.number(of: state)
        // A later push may show under an id that was to be withdrawn.
        var withdrawn = record.row.withdrawn
        if !withdrawn.isEmpty {
            let screen = DeviceScreen(try open.shown(device: record.device.row))
            withdrawn.removeAll { screen.shows($0) }
        }
        guard number != badge.number || !withdrawn.isEmpty else { return nil }
        // Ids that do not fit leave with the next badge push, which is queued when this one is accepted.
        withdrawn = WithdrawnIDs.fitting(withdrawn, to: record.device.device.provider)
        return PushMessage(
            content: nil, badge: number, notification: nil, collapseID: CollapseID.badge,
            position: PushMessage.Position(epoch: state.epoch, seq: state.seq), withdrawn: withdrawn,
            expiry: record.row.expiry)
    }

    /// - Parameter collapse: nil for the notification's own.
    package func message(_ number: Int64, _ record: PushJobRecord, collapse: String?) throws -> PushMessage? {
        guard let notification = record.notification,
            let shared = try open.content(notification.content).sharedPush
        else { return nil }
        let state = record.inbox.state
        let id = NotificationID(inbox: record.device.inbox, sequence: number)
        return PushMessage(
            shared: shared, badge: shared.content.badge.number(of: state), notification: id, rev: notification.rev,
            collapseID: collapse ?? CollapseID.other(shared),
            position: PushMessage.Position(epoch: state.epoch, seq: state.seq), expiry: record.row.expiry,
            group: try group(shared, with: [number], on: record.device))
    }

    /// How many of the newest notifications on a device are searched for a group.
    private static let mostGrouped = 100

    /// The content's group, with the number of its notifications that the device shows once it has this push.
    /// - Parameter parts: the notifications that this push stands for.
    package func group(
        _ shared: SharedPushContent, with parts: @autoclosure () -> [Int64], on device: KnownDevice
    ) throws -> PushMessage.Group? {
        guard let text = shared.content.groupText, let group = shared.content.group else { return nil }
        var members = Set(parts())
        for (shown, _) in try open.shown(device: device.row).suffix(Self.mostGrouped) where !members.contains(shown) {
            guard let content = try open.notifications.content(inbox: device.inbox, id: shown),
                let other = try open.content(content).push,
                other.group.map({ ExactText($0) }) == ExactText(group), other.app == shared.content.app
            else { continue }
            members.insert(shown)
        }
        return PushMessage.Group(count: members.count, text: text.text(count: members.count))
    }

    package init(open: OpenTransaction, provider: Device.Provider, now: Timestamp, end: Timestamp) {
        (self.open, self.provider, self.now, self.end) = (open, provider, now, end)
    }
}
