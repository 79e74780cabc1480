package import Inbox
import Push
import Store

/// Queues pushes, puts them off, and takes back those that are no longer needed.
package struct PushWriter {
    package let open: OpenTransaction

    // MARK: Cancelling

    package func acknowledge(_ user: UserID, upTo seq: Int64, at now: Timestamp) throws {
        // A user who was erased meanwhile is not created again.
        guard let inbox = try open.knownInbox(of: user), inbox.devices > 0 else { return }
        // A client may name any number, but higher ones belong to other pushes.
        let seq = min(seq, inbox.state.seq, PushJobNumber.notifications.upperBound)
        let deleted = try open.pushJobs.deleteAcknowledged(inbox: inbox.id, upTo: seq)
        open.noteSaved(deleted.count { !$0.isShown })
        for job in deleted {
            if job.isShown {
                let mark = PushMark(notification: job.notification, provider: job.provider, collapse: job.place)
                try open.pushMarks.add(mark, device: job.device)
            }
            try open.noteCancelled(device: job.device, notification: job.notification, job.provider)
            let device = try open.device(row: job.device)?.device
            open.trail.note(.cancelled(.acknowledged), of: job.notification, inbox: inbox.id, on: device, at: now)
        }
        // A push that was to follow one on its way is kept only with that one's lease.
        let renewing = try open.turns.renewingDevices(inbox: inbox.id).filter {
            try open.device(row: $0)?.inbox == inbox.id
        }
        guard !renewing.isEmpty else { return }
        for job in try open.turns.cancelRenewals(upTo: seq, of: renewing)
        where !deleted.contains(where: { $0.stands(for: job) }) {
            let device = try open.device(row: job.device)?.device
            open.trail.note(.cancelled(.acknowledged), of: job.notification, inbox: inbox.id, on: device, at: now)
        }
    }

    /// Handles notifications that were read or removed: cancels their pushes, withdraws them from screens, and corrects
    /// the numbers on icons.
    /// - Parameter inbox: its state after that.
    package func dismiss(
        _ notifications: [Int64], in inbox: InboxRecord, at now: Timestamp, because cause: TrailStep.Cause
    ) throws {
        guard inbox.devices > 0 else { return }
        let dismissed = Set(notifications.filter(PushJobNumber.notifications.contains))
        guard let first = dismissed.min(), let last = dismissed.max() else { return }
        for device in try open.devices.records(inbox: inbox.id) {
            try open.turns.overtake(device: device.row, device.device.provider)
            let gone = try drop(dismissed, first, last, from: device)
            for row in gone {
                // One row of the trail tells both, unless each has to name another provider.
                let isOneStep = row.mark?.provider == device.device.provider
                if let mark = row.mark, !isOneStep { open.note(mark, inbox: inbox.id, on: device.device) }
                open.trail.note(
                    row.mayBeShown ? .withdrawn(cause) : .cancelled(cause), of: row.notification, inbox: inbox.id,
                    on: device.device, at: now, sentAt: isOneStep ? row.mark?.sentAt : nil)
            }
            // Under a shared id, other notifications may still be on the screen.
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

    /// Removes and returns the jobs and marks of these notifications, in their order.
    /// - Parameters:
    ///   - first: the lowest notification.
    ///   - last: the highest.
    private func drop(
        _ dismissed: Set<Int64>, _ first: Int64, _ last: Int64, from device: DeviceRecord
    ) throws -> [DroppedPush] {
        let provider = device.device.provider
        let waiting = try open.pushJobs.rows(device: device.row, of: dismissed, from: first, to: last)
        for job in waiting {
            _ = try open.pushJobs.delete(device: device.row, notification: job.notification, provider)
            try open.noteCancelled(device: device.row, notification: job.notification, provider)
        }
        let shown = try open.pushMarks.take(dismissed, device: device.row).map(DroppedPush.init)
        return shown.isEmpty ? waiting : (waiting + shown).sorted { $0.notification < $1.notification }
    }

    // MARK: Badges

    /// Corrects the numbers on icons after notifications were seen.
    /// - Parameter inbox: its state after that.
    package func correctBadges(in inbox: InboxRecord, at now: Timestamp) throws {
        guard inbox.devices > 0 else { return }
        for device in try open.devices.records(inbox: inbox.id) {
            try open.turns.overtake(device: device.row, device.device.provider)
            try correctBadge(of: device, in: inbox, withdrawing: [], at: now)
        }
    }

    /// Queues a push that sets the number and withdraws what is on the screen, if either has to change.
    /// - Parameter withdrawn: collapse ids whose notifications are all dealt with.
    package func correctBadge(
        of device: DeviceRecord, in inbox: InboxRecord, withdrawing withdrawn: [String], at now: Timestamp
    ) throws {
        guard device.takesBadgePushes, let badge = device.badge else { return }
        guard !withdrawn.isEmpty || badge.rule.number(of: inbox.state) != badge.number else { return }
        let provider = device.device.provider
        let queued = try open.pushJobs.badges(device: device.row)
        for badge in queued {
            let isOnLease = try open.turns.isOnLease(device: device.row, notification: badge.place, provider)
            if isOnLease { continue }
            let gathered = newest(of: badge.withdrawn, then: withdrawn)
            if gathered == badge.withdrawn { return }
            return try open.pushJobs.write(withdrawn: gathered, device: device.row, place: badge.place)
        }
        guard let place = PushJobNumber.badgePlaces.first(where: { place in !queued.contains { $0.place == place } })
        else { return }
        let now = open.present(now)
        let job = NewPushJob(
            device: device.row, notification: place, due: now + open.options.badgeDelay,
            expiry: now + open.options.pushExpiry, withdrawn: newest(of: [], then: withdrawn))
        try open.queue(job, provider)
    }

    /// Each id once, the newest last; at most as many as are known to be on a screen.
    private func newest(of earlier: [String], then later: [String]) -> [String] {
        var seen: Set<String> = []
        let ids = (earlier + later).reversed().filter { seen.insert($0).inserted }
        return ids.prefix(open.options.marksKept).reversed()
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}
