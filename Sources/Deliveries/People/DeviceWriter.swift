package import Inbox
package import Push
package import Store

/// Keeps the devices that pushes go to.
package struct DeviceWriter {
    package let open: OpenTransaction

    /// A token stands for one installation: its latest registration gets it, and pushes for the earlier one no longer
    /// reach it. A device that registers without a token keeps the known one.
    package func register(_ device: Device, for user: UserID) throws -> Result<Void, StoreError> {
        let holder = try holder(of: device, registeredFor: user)
        let known = try open.knownInbox(of: user).flatMap { inbox in
            try open.devices.record(inbox: inbox.id, app: device.app, id: device.id)
        }
        let isSame = holder.map { $0.row == known?.row } ?? true
        // A registration by anybody never overwrites one by the person's own app, whether it knows the id or the token.
        if device.registrar == .anybody, known?.device.registrar == .person || holder?.device.registrar == .person {
            return .success(())
        }
        // Without a free row, the token's earlier holder makes room.
        guard let row = try known?.row ?? open.devices.freeRow() ?? holder?.row else {
            return .failure(.tooManyDevices)
        }
        try UserWriter(open: open, now: device.lastSeenAt).note(
            Reader(locale: device.locale, zone: device.zone), of: user)
        if let holder, !isSame { try forget(holder) }
        if let known {
            try update(known, to: device, in: user.app)
            return .success(())
        }
        var inbox = try open.inbox(of: user)
        try open.devices.insert(device, inbox: inbox.id, row: row, in: user.app)
        inbox.devices += 1
        try open.keep(inbox, of: user)
        return .success(())
    }

    /// The device that has the token so far.
    ///
    /// Devices come and go under the locks of their owners' inboxes. So both are locked here, in one order, and what
    /// was found before is read again.
    private func holder(of device: Device, registeredFor user: UserID) throws -> DeviceRecord? {
        let seen = try open.devices.record(provider: device.provider, token: device.token, in: user.app)
        let owner = try seen.flatMap { try open.user(ofInbox: $0.inbox) }
        try open.expect { .people([owner, user].compactMap(\.self)) }
        guard let seen, let owner, owner != user else { return seen }
        _ = try open.knownInbox(of: owner)
        return try open.devices.record(row: seen.row).flatMap { record in
            record.inbox == seen.inbox && record.device.provider == seen.device.provider
                && record.device.token == seen.device.token ? record : nil
        }
    }

    private func update(_ known: DeviceRecord, to device: Device, in app: AppName) throws {
        var device = device
        // A device that the person's own app registered stays protected, whoever changes it. A device that a backend
        // only names keeps its registrar.
        let isPersons = known.device.registrar == .person
        if device.registrar == .anybody || device.registrar == .backend && (device.awaitsToken || isPersons) {
            device.registrar = known.device.registrar
        }
        if device.awaitsToken {
            (device.provider, device.token) = (known.device.provider, known.device.token)
            (device.keys, device.scope) = (known.device.keys, known.device.scope)
            device.expiresAt = known.device.expiresAt
            device.environment = device.environment ?? known.device.environment
        }
        if (known.device.provider, known.device.token) == (device.provider, device.token) {
            device.registeredAt = known.device.registeredAt
        }
        try open.update(row: known.row, to: device, in: app)
        guard known.device.provider != device.provider else { return }
        // Their tokens are for the other service.
        try open.rows.activities.delete(device: known.row)
        let lease = try open.turns.forget(device: known.row, known.device.provider)
        for place in try open.pushJobs.move(
            device: known.row, from: known.device.provider, to: device.provider)
        {
            try open.noteQueued(place, device.provider)
        }
        if let lease { try PushWriter(open: open).renew(lease) }
    }

    /// - Returns: whether the device existed.
    package func unregister(id: String, app: String, of user: UserID) throws -> Bool {
        guard let inbox = try open.knownInbox(of: user),
            let known = try open.devices.record(inbox: inbox.id, app: app, id: id)
        else { return false }
        try forget(known)
        return true
    }

    /// Forgets at most `limit` devices, and returns how many it forgot.
    package func forget(lastSeenBefore time: Timestamp, limit: Int) throws -> Int {
        let records = try open.devices.records(lastSeenBefore: time, limit: limit)
        if records.count > 1 { try open.expect { .owners(records.map(\.inbox)) } }
        var forgotten = 0
        for record in records {
            if let user = try open.user(ofInbox: record.inbox) { _ = try open.knownInbox(of: user) }
            // Until the inbox was locked, it may have registered again.
            guard let record = try open.devices.record(row: record.row), record.device.lastSeenAt < time else {
                continue
            }
            try forget(record)
            forgotten += 1
        }
        return forgotten
    }

    /// - Returns: how many pushes waited for the device or were shown by it.
    @discardableResult
    package func forget(_ record: DeviceRecord) throws -> Int {
        let user = try open.user(ofInbox: record.inbox)
        // Locked before anything of the device changes.
        let locked = try user.map { try open.inbox(of: $0) }
        let jobs = try open.pushJobs.deleteAll(device: record.row, record.device.provider)
        let marks = try open.pushMarks.takeAll(device: record.row)
        for mark in marks { open.note(mark, inbox: record.inbox, on: record.device) }
        try open.rows.activities.delete(device: record.row)
        try open.deleteDevice(row: record.row)
        _ = try open.turns.forget(device: record.row, record.device.provider)
        guard let user, var inbox = locked else { return jobs + marks.count }
        inbox.devices -= 1
        try open.keep(inbox, of: user)
        return jobs + marks.count
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}
