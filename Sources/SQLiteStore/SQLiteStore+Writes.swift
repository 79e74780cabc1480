import Deliveries
package import Inbox
package import Push
package import Store

extension SQLiteStore {
    package func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        write(PublishWrite(publication, completion: completion))
    }

    package func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try CommandWriter(open: open, now: now).apply(command, for: user)) }
    }

    package func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(completion) { open in try DeviceWriter(open: open).register(device, for: user) }
    }

    package func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try DeviceWriter(open: open).unregister(id: id, app: app, of: user)) }
    }

    package func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        forgetDevices(lastSeenBefore: time, soFar: 0, completion)
    }

    package func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) {
        // A lease that ends at once would hand out the same jobs forever.
        let span = max(leaseEnd - now, .milliseconds(1))
        writeWithAcknowledgements(rows: max(1, limit), completion) { open in
            let now = open.present(now)
            return .success(try PushLeasing(open: open, provider: provider, now: now, end: now + span).lease(limit))
        }
    }

    package func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(rows: max(1, outcomes.count), completion) { open in
            try PushSettling(open: open, now: open.present(now)).settle(outcomes)
            return .success(())
        }
    }

    /// Does one step, and the next behind writes that came meanwhile.
    private func forgetDevices(
        lastSeenBefore time: Timestamp, soFar: Int, _ completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        let step = options.devicesPerStep
        let judge: @Sendable (Result<Int, StoreError>) -> Void = { [self] result in
            switch result {
            case .success(step): forgetDevices(lastSeenBefore: time, soFar: soFar + step, completion)
            case .success(let count): completion(.success(soFar + count))
            case .failure(let error): completion(.failure(error))
            }
        }
        write(rows: step, judge) { open in
            .success(try DeviceWriter(open: open).forget(lastSeenBefore: time, limit: step))
        }
    }
}
