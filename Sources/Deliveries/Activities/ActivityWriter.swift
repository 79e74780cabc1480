package import Inbox
package import Push
package import Store

/// Tells people's Live Activities what events say, and takes in what apps say of them.
package struct ActivityWriter {
    /// How many activities of a device are remembered. iOS runs five of an app at a time; the others are over.
    package static let maximumActivities = 100

    package let open: OpenTransaction
    package let now: Timestamp

    package init(open: OpenTransaction, now: Timestamp) { (self.open, self.now) = (open, open.present(now)) }

    private var rows: any ActivityRows { open.rows.activities }

    // MARK: Events

    /// Tells the person's devices what an event says.
    ///
    /// - Parameters:
    ///   - notification: of the event, for the trail; nil if there is none.
    ///   - time: when the event happened.
    package func tell(
        _ content: ActivityContent, of event: Event, notification: Int64?, in inbox: InboxRecord, at time: Timestamp
    ) throws {
        guard inbox.devices > 0 else { return }
        // An activity that is told hours late is worth nothing, so nothing is held: it only stops disturbing.
        let content = inbox.person?.hold(at: now) == nil ? content : content.quiet
        let longest = now + DeviceActivity.longestRun
        let change = DeviceActivity.Change(
            content: content, notification: notification, at: time,
            expiry: event.expiresAt.map { min($0, longest) } ?? longest)
        let fits = ActivityPayload.fits(content)
        for record in try open.devices.records(inbox: inbox.id) where isTarget(record, app: content.app) {
            guard fits else {
                note(change.notification.map { [.init(notification: $0, became: .dropped(.tooLarge))] } ?? [], record)
                continue
            }
            let place = ActivityPlace(device: record.row, key: content.key)
            var activity = try rows.activity(place) ?? DeviceActivity()
            let types = try rows.device(record.row)?.types ?? [:]
            let canStart = content.beginning.map { types.keys.contains($0.type) } ?? false
            note(activity.take(change, canStart: canStart, at: now), record)
            try write(activity, at: place, record)
        }
    }

    private func isTarget(_ record: DeviceRecord, app: String) -> Bool {
        let device = record.device
        return !record.isDamaged && !device.awaitsToken && device.provider.showsActivities
            && (app.isEmpty || device.app.isEmpty || device.app == app)
    }

    // MARK: Apps

    /// Replaces the types of which a device can begin activities.
    package func register(
        types: [String: String?], of address: ActivityAddress
    ) throws -> ActivityRegistration {
        guard let record = try record(address) else { return .unknownDevice }
        guard record.device.provider.showsActivities else { return .unfitDevice }
        // FCM reaches Android devices, whose apps need none.
        if record.device.provider == .apns, types.values.contains(nil) { return .missingToken }
        var device = try rows.device(record.row) ?? ActivityDevice()
        device.types = types
        try rows.write(device, row: record.row)
        return .stored
    }

    /// Notes the token of a running activity.
    package func register(
        token: String, key: String, of address: ActivityAddress
    ) throws -> ActivityRegistration {
        guard let record = try record(address) else { return .unknownDevice }
        guard record.device.provider.showsActivities else { return .unfitDevice }
        let place = ActivityPlace(device: record.row, key: key)
        let known = try rows.activity(place)
        if known == nil, try rows.activities(device: record.row).count >= Self.maximumActivities { return .tooMany }
        var activity = known ?? DeviceActivity()
        note(activity.register(token: token, at: now), record)
        try write(activity, at: place, record)
        return .stored
    }

    /// - Returns: whether such an activity was known.
    package func dismiss(key: String, of address: ActivityAddress) throws -> Bool {
        guard let record = try record(address) else { return false }
        let place = ActivityPlace(device: record.row, key: key)
        guard var activity = try rows.activity(place) else { return false }
        note(activity.dismiss(at: now), record)
        try write(activity, at: place, record)
        return true
    }

    /// The activities of all of a person's devices.
    package func activities(of user: UserID) throws -> [KnownActivity] {
        guard let inbox = try open.knownInbox(of: user) else { return [] }
        return try open.devices.records(inbox: inbox.id).flatMap { record in
            try rows.activities(device: record.row).map { key, activity in
                let (state, since) = activity.known
                return KnownActivity(
                    device: record.device.id, app: record.device.app, key: key, state: state, since: since,
                    hasWaiting: activity.waiting != nil || activity.isSending)
            }
        }
    }

    // MARK: Rows

    private func record(_ address: ActivityAddress) throws -> DeviceRecord? {
        guard let inbox = try open.knownInbox(of: address.user) else { return nil }
        return try open.devices.record(inbox: inbox.id, app: address.app, id: address.device)
    }

    private func note(_ notes: [DeviceActivity.Note], _ record: DeviceRecord) {
        for note in notes {
            open.trail.note(
                .activity(note.became), of: note.notification, inbox: record.inbox, on: record.device, at: now)
        }
    }

    private func write(_ activity: DeviceActivity, at place: ActivityPlace, _ record: DeviceRecord) throws {
        try open.write(activity, at: place, inbox: record.inbox, record.device.provider)
    }
}

extension Device.Provider {
    /// Whether it reaches phones that show Live Activities.
    package var showsActivities: Bool { self == .apns || self == .fcm }
}

extension DeviceActivity {
    /// The state, and since when.
    fileprivate var known: (state: KnownActivity.State, since: Timestamp?) {
        switch phase {
        case .absent: (.waiting, nil)
        case .begun(let time): (.begun, time)
        case .running(_, let time): (.running, time)
        case .over(let time): (.over, time)
        }
    }
}

extension OpenTransaction {
    /// Writes an activity, and tells its sender of the push that waits.
    func write(
        _ activity: DeviceActivity, at place: ActivityPlace, inbox: Int64, _ provider: Device.Provider
    ) throws {
        guard !activity.isBlank else { return try rows.activities.delete(place) }
        try rows.activities.write(activity, at: place, inbox: inbox, provider)
        if let due = activity.due { tellActivity(due: due) }
    }

    func tellActivity(due: Timestamp) { commit.nextActivityDue = min(commit.nextActivityDue ?? due, due) }
}
