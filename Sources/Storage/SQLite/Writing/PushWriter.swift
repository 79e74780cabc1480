import Inbox
import Push

/// Keeps the queue of pushes and the devices they go to.
struct PushWriter {
    let open: OpenTransaction

    // MARK: Devices

    /// A token stands for one installation: whoever registers it last has it, and no push for the one before reaches it.
    func register(_ device: Device, for user: UserID) throws {
        if let holder = try open.devices.record(provider: device.provider, token: device.token) {
            let inbox = try open.inbox(of: user)
            if holder.inbox != inbox.id || holder.device.id != device.id { try forget(holder) }
        }
        var inbox = try open.inbox(of: user)
        if let known = try open.devices.record(inbox: inbox.id, id: device.id) {
            return try open.devices.update(row: known.row, to: device)
        }
        try open.devices.insert(device, inbox: inbox.id)
        inbox.devices += 1
        try open.keep(inbox, of: user)
    }

    private func forget(_ record: DeviceRecord) throws {
        try open.pushJobs.deleteAll(inbox: record.inbox, device: record.row)
        try open.devices.delete(row: record.row)
        let user = try open.user(ofInbox: record.inbox)
        var inbox = try open.inbox(of: user)
        inbox.devices -= 1
        try open.keep(inbox, of: user)
    }

    // MARK: Cancelling

    func acknowledge(_ user: UserID, upTo seq: Int64) throws {
        let inbox = try open.inbox(of: user)
        // Every session acknowledges every notification: most users have no device, and then nothing is even looked up.
        if inbox.devices > 0 { try open.pushJobs.deleteAcknowledged(inbox: inbox.id, upTo: seq) }
    }

    // MARK: Handing out

    func lease(_ limit: Int, at now: Timestamp, until leaseEnd: Timestamp) throws -> LeasedPushJobs {
        // A lease that ends at once would hand out the same jobs for ever.
        let leaseEnd = max(leaseEnd, now + .milliseconds(1))
        var jobs: [PushJob] = []
        while jobs.count < limit {
            let wanted = limit - jobs.count
            let available = try open.pushJobs.available(at: now, limit: wanted)
            for record in available {
                let job = record.expiry > now ? try job(from: record) : nil
                if let job {
                    try open.pushJobs.lease(record.id, until: leaseEnd)
                    jobs.append(job)
                } else {
                    try open.pushJobs.delete(record.id, of: record.notificationID)
                }
            }
            if available.count < wanted { break }
        }
        // What is due and was not handed out waits for another job of its device, or for room: settling those leads back.
        return LeasedPushJobs(jobs: jobs, nextDue: try open.pushJobs.nextAvailable(after: now))
    }

    /// The job as it looks at this moment; nil if there is nothing left to push, or nobody to push it to.
    private func job(from record: PushJobRecord) throws -> PushJob? {
        guard let notification = try open.notifications.record(inbox: record.inbox, id: record.notification),
            let content = try open.contents.content(notification.contentID).push,
            let device = try open.devices.record(row: record.device)
        else { return nil }
        let user = try open.user(ofInbox: record.inbox)
        return PushJob(
            id: record.id, user: user, notification: record.notificationID, rev: notification.rev, content: content,
            device: device.device, badge: content.badge.number(of: try open.inbox(of: user).state),
            attempt: PushAttempt(failures: record.failures, expiry: record.expiry))
    }

    // MARK: Settling

    /// A job that was cancelled while it was on its way is settled by that, whatever the provider said.
    func settle(_ job: PushJob, as action: PushAction, attempt: PushAttempt) throws {
        switch action {
        case .finish, .abandon:
            try open.pushJobs.delete(job.id, of: job.notification)
        case .retry(let due):
            let isWaiting = try open.pushJobs.putOff(job.id, of: job.notification, to: due, failures: attempt.failures)
            if isWaiting { open.tellPush(due: due) }
        case .forgetDevice:
            let known = try open.devices.record(inbox: job.notification.inbox, id: job.device.id)
            if let known, known.device.token == job.device.token {
                try forget(known)
            } else if let due = try open.pushJobs.release(job.id, of: job.notification) {
                // The device has another token by now, under which it has not been tried.
                open.tellPush(due: due)
            }
        }
    }
}
