package import Inbox
package import Push
package import Store

/// Devices, and the queue of pushes to them.
extension StoreEngine {
    package func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(
            rows: 1, isRehearsal: false, owner: nil, expecting: ExpectedPeople([user]), completion
        ) { open in
            try DeviceWriter(open: open).register(device, for: user)
        }
    }

    package func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        write(for: user, completion) { open in try DeviceWriter(open: open).unregister(id: id, app: app, of: user) }
    }

    package func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        let limit = rules.devicesPerStep
        work(rows: limit, from: 0, completion) { open, forgotten in
            let count = try DeviceWriter(open: open).forget(lastSeenBefore: time, limit: limit)
            forgotten += count
            return count < limit
        }
    }

    package func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void) {
        read(completion) { reads in try reads.devices.devices(of: user) }
    }

    package func installation(
        ofDevice id: String, app: String, of user: UserID?, in space: AppName,
        completion: @escaping @Sendable (Result<Installation?, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.devices.installation(ofDevice: id, app: app, of: user, in: space) }
    }

    package func device(
        of provider: Device.Provider, token: String, in space: AppName,
        completion: @escaping @Sendable (Result<OwnedDevice?, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.devices.device(of: provider, token: token, in: space) }
    }

    package func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) {
        // A lease that ends at once would hand out the same jobs forever.
        let span = max(leaseEnd - now, .milliseconds(1))
        writeBehindAcknowledgements(rows: max(1, limit), completion) { open in
            let now = open.present(now)
            return .success(try PushLeasing(open: open, provider: provider, now: now, end: now + span).lease(limit))
        }
    }

    package func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(rows: max(1, outcomes.count), completion) { open in
            try PushSettling(open: open, now: open.present(now)).settle(outcomes)
        }
    }

    package func follow(_ jump: ClockJump, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        // Alone in its transaction: later writes find the process' clock moved.
        write(rows: rules.rowsPerCommit + 1, completion) { open in try QueueMove(open: open, jump: jump).move() }
    }
}
