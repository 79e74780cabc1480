import Inbox
import Push

/// Queues pushes, keeps them back, and takes back those that nobody needs any more.
struct PushWriter {
    let open: OpenTransaction

    // MARK: Cancelling

    func acknowledge(_ user: UserID, upTo seq: Int64, at now: Timestamp) throws {
        // Whoever was erased meanwhile is not made anew.
        guard let inbox = try open.knownInbox(of: user), inbox.devices > 0 else { return }
        // A client may name any number; beyond what there is begin the numbers of others' pushes.
        let seq = min(seq, inbox.state.seq, PushJobNumber.notifications.upperBound)
        let deleted = try open.pushJobs.deleteAcknowledged(inbox: inbox.id, upTo: seq)
        for job in deleted {
            if job.isShown {
                let mark = PushMark(notification: job.notification, provider: job.provider, collapse: job.place)
                try open.pushMarks.add(mark, device: job.device)
            }
            try open.noteCancelled(device: job.device, notification: job.notification, job.provider)
            let device = try open.device(row: job.device)?.device
            open.trail.note(.cancelled(.acknowledged), of: job.notification, inbox: inbox.id, on: device, at: now)
        }
        // What was to follow a push that is on its way is nowhere else but with its lease.
        let renewing = try open.turns.renewingDevices.filter { try open.device(row: $0)?.inbox == inbox.id }
        guard !renewing.isEmpty else { return }
        for job in open.turns.cancelRenewals(upTo: seq, of: renewing)
        where !deleted.contains(where: { $0.stands(for: job) }) {
            let device = try open.device(row: job.device)?.device
            open.trail.note(.cancelled(.acknowledged), of: job.notification, inbox: inbox.id, on: device, at: now)
        }
    }

    /// Notifications were read or removed: cancels their pushes, withdraws what is on screens, and corrects the numbers
    /// on icons.
    /// - Parameter inbox: as it is after that.
    func dismiss(
        _ notifications: [Int64], in inbox: InboxRecord, at now: Timestamp, because cause: TrailStep.Cause
    ) throws {
        guard inbox.devices > 0 else { return }
        let dismissed = Set(notifications.filter(PushJobNumber.notifications.contains))
        guard let first = dismissed.min(), let last = dismissed.max() else { return }
        for device in try open.devices.records(inbox: inbox.id) {
            try open.withTurns(of: device.device.provider) { $0.overtake(device: device.row) }
            let gone = try drop(dismissed, first, last, from: device)
            for row in gone {
                // One row of the trail tells both, unless another provider is to be named with each.
                let isOneStep = row.mark?.provider == device.device.provider
                if let mark = row.mark, !isOneStep { open.note(mark, inbox: inbox.id, on: device.device) }
                open.trail.note(
                    row.mayBeShown ? .withdrawn(cause) : .cancelled(cause), of: row.notification, inbox: inbox.id,
                    on: device.device, at: now, sentAt: isOneStep ? row.mark?.sentAt : nil)
            }
            // What is left may be there under an id that is shared.
            let isShared = gone.contains { $0.collapse != nil || $0.shownAs != nil }
            let screen = isShared ? DeviceScreen(try open.shown(device: device.row)) : DeviceScreen()
            var shown: [String] = []
            for row in gone where row.mayBeShown {
                if let shared = row.collapse {
                    if !screen.shows(shared) { shown.append(shared) }
                } else {
                    shown.append(NotificationID(inbox: inbox.id, sequence: row.notification).text)
                }
            }
            shown += gone.compactMap(\.shownAs).filter { !screen.shows($0) }
            try correctBadge(of: device, in: inbox, withdrawing: shown, at: now)
        }
    }

    /// Takes out the jobs and the marks of these notifications, in the order of those.
    /// - Parameters:
    ///   - first: the lowest of them.
    ///   - last: the highest.
    private func drop(
        _ dismissed: Set<Int64>, _ first: Int64, _ last: Int64, from device: DeviceRecord
    ) throws -> [PushJobTable.Dropped] {
        let provider = device.device.provider
        let waiting = try open.pushJobs.rows(device: device.row, of: dismissed, from: first, to: last)
        for job in waiting {
            _ = try open.pushJobs.delete(device: device.row, notification: job.notification, provider)
            try open.noteCancelled(device: device.row, notification: job.notification, provider)
        }
        let shown = try open.pushMarks.take(dismissed, device: device.row).map(PushJobTable.Dropped.init)
        return shown.isEmpty ? waiting : (waiting + shown).sorted { $0.notification < $1.notification }
    }

    // MARK: Badges

    /// Notifications were seen: corrects the numbers on icons.
    /// - Parameter inbox: as it is after that.
    func correctBadges(in inbox: InboxRecord, at now: Timestamp) throws {
        guard inbox.devices > 0 else { return }
        for device in try open.devices.records(inbox: inbox.id) {
            try open.withTurns(of: device.device.provider) { $0.overtake(device: device.row) }
            try correctBadge(of: device, in: inbox, withdrawing: [], at: now)
        }
    }

    /// Queues a push that sets the number and withdraws what is on the screen, if there is anything to do.
    /// - Parameter withdrawn: collapse ids of what was dealt with, nothing of which is still to be seen.
    func correctBadge(
        of device: DeviceRecord, in inbox: InboxRecord, withdrawing withdrawn: [String], at now: Timestamp
    ) throws {
        guard device.takesBadgePushes, let badge = device.badge else { return }
        guard !withdrawn.isEmpty || badge.rule.number(of: inbox.state) != badge.number else { return }
        let provider = device.device.provider
        let queued = try open.pushJobs.badges(device: device.row)
        for badge in queued {
            let isOnLease = try open.withTurns(of: provider) { turns in
                turns.isOnLease(device: device.row, notification: badge.place)
            }
            if isOnLease { continue }
            let gathered = newest(of: badge.withdrawn, then: withdrawn)
            if gathered == badge.withdrawn { return }
            return try open.pushJobs.write(withdrawn: gathered, device: device.row, place: badge.place)
        }
        guard let place = PushJobTable.badgePlaces.first(where: { place in !queued.contains { $0.place == place } })
        else { return }
        let job = NewPushJob(
            device: device.row, notification: place, due: now + open.options.badgeDelay,
            expiry: now + open.options.pushExpiry, withdrawn: newest(of: [], then: withdrawn))
        try open.queue(job, provider)
    }

    /// Each id once, the newest last; as many as are known to be on a screen.
    private func newest(of earlier: [String], then later: [String]) -> [String] {
        var seen: Set<String> = []
        let ids = (earlier + later).reversed().filter { seen.insert($0).inserted }
        return ids.prefix(open.options.marksKept).reversed()
    }
}
