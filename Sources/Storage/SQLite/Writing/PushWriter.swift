import Inbox
import Push

/// Queues pushes, and takes back those that nobody needs any more.
struct PushWriter {
    /// So many collapse ids fit into one push that withdraws them, with room to spare in 4,096 bytes.
    static let withdrawnLimit = 50

    let open: OpenTransaction

    // MARK: Queueing

    /// Queues a push of a new notification to each of the user's devices that gets those of its app.
    func queue(
        _ notification: Int64, _ content: PushContent, of type: NotificationType, for event: Event, at now: Timestamp,
        in inbox: InboxRecord, of user: UserID
    ) throws -> PushDecision {
        let policy = type.pushPolicy(for: event)
        let isLive = policy.when == .fallback && open.options.isLive(user)
        guard
            var due = policy.due(at: now, isLive: isLive, grace: open.options.grace, notBefore: event.notBefore)
        else { return .never }
        let targets = try open.devices.targets(inbox: inbox.id, app: content.app)
        if targets.isEmpty { return .noDevice }
        var foldKey: String?
        // What breaks through neither waits for others nor hides among them.
        if let limit = policy.perHour, policy.urgency != .urgent {
            let key = "\(type.name):\(content.group ?? "")"
            due = try pace(due, limit: limit, inbox: inbox.id, foldKey: key)
            foldKey = key
        }
        let expiry = policy.expiry(due: due, lifetime: open.options.pushExpiry, expiresAt: event.expiresAt)
        guard due < expiry else { return .expired }
        for target in targets {
            let job = NewPushJob(
                device: target.row, notification: notification, due: due, expiry: expiry,
                isFallback: policy.when == .fallback, foldKey: foldKey, collapse: content.replacementID)
            try open.queue(job, target.provider)
        }
        return .queued(devices: targets.count, due: due, hold: isLive && due > now ? .grace : .none)
    }

    private func pace(_ due: Timestamp, limit: Int, inbox: Int64, foldKey: String) throws -> Timestamp {
        var pace = try open.pushPaces.pace(inbox: inbox, foldKey: foldKey) ?? PushPace(start: due)
        let admitted = pace.admit(due, limit: limit)
        try open.pushPaces.write(pace, inbox: inbox, foldKey: foldKey)
        return admitted
    }

    // MARK: Cancelling

    func acknowledge(_ user: UserID, upTo seq: Int64) throws {
        let inbox = try open.inbox(of: user)
        // Every session acknowledges every notification: most users have no device, and then nothing is even looked up.
        guard inbox.devices > 0 else { return }
        for job in try open.pushJobs.deleteAcknowledged(inbox: inbox.id, upTo: seq) {
            try open.noteCancelled(device: job.device, notification: job.notification, job.provider)
        }
    }

    /// Notifications were read or removed: cancels their pushes, withdraws what is on screens, and corrects the numbers
    /// on icons.
    /// - Parameter inbox: as it is after that.
    func dismiss(_ notifications: [Int64], in inbox: InboxRecord, at now: Timestamp) throws {
        guard inbox.devices > 0 else { return }
        let dismissed = Set(notifications)
        guard let first = dismissed.min(), let last = dismissed.max() else { return }
        for device in try open.devices.records(inbox: inbox.id) {
            try open.withTurns(of: device.device.provider) { $0.overtake(device: device.row) }
            let rows = try open.pushJobs.rows(device: device.row, from: first, to: last)
            let gone = rows.filter { dismissed.contains($0.notification) }
            for row in gone {
                try open.pushJobs.delete(device: device.row, notification: row.notification)
                try open.noteCancelled(device: device.row, notification: row.notification, device.device.provider)
            }
            let shown = try gone.filter(\.mayBeShown).compactMap { row in
                guard let shared = row.collapse else {
                    return NotificationID(inbox: inbox.id, sequence: row.notification).text
                }
                return try open.pushMarks.shows(device: device.row, collapse: shared) ? nil : shared
            }
            try correctBadge(of: device, in: inbox, withdrawing: shown, at: now)
        }
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
            let gathered = Self.newest(of: badge.withdrawn, then: withdrawn)
            if gathered == badge.withdrawn { return }
            return try open.pushJobs.write(withdrawn: gathered, device: device.row, place: badge.place)
        }
        guard let place = PushJobTable.badgePlaces.first(where: { place in !queued.contains { $0.place == place } })
        else { return }
        let job = NewPushJob(
            device: device.row, notification: place, due: now + open.options.badgeDelay,
            expiry: now + open.options.pushExpiry, withdrawn: Self.newest(of: [], then: withdrawn))
        try open.queue(job, provider)
    }

    /// Each id once, the newest last.
    private static func newest(of earlier: [String], then later: [String]) -> [String] {
        var seen: Set<String> = []
        let ids = (earlier + later).reversed().filter { seen.insert($0).inserted }
        return ids.prefix(withdrawnLimit).reversed()
    }
}
