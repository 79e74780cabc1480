import Dispatch
package import Inbox
package import Push
import Synchronization

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

    package func acknowledge(_ user: UserID, upTo seq: Int64, at now: Timestamp) {
        // Those that come until the write's turn come along.
        if acknowledgements.add(Acknowledgements.One(seq: seq, time: now), of: user) { delayAcknowledgements() }
    }

    private func delayAcknowledgements() {
        guard acknowledgementDelay.withLock({ $0.begin() }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + options.acknowledgementDelay / .seconds(1)) { [self] in
            if acknowledgementDelay.withLock({ $0.ended() }) { writeAcknowledgements() }
        }
    }

    /// Queues those that wait, all of them, to be written before what is queued behind them and mostly in the same commit.
    func takeAcknowledgementsAlong() {
        if acknowledgementDelay.withLock({ $0.takeAlong() }) { writeAcknowledgements() }
    }

    private func writeAcknowledgements() {
        var count = max(acknowledgements.count, 1)
        while count > options.rowsPerCommit {
            writeAcknowledgements(rows: options.rowsPerCommit, isLast: false)
            count -= options.rowsPerCommit
        }
        // As many as there are now: if it were as many as may be, there would be no room for others in its commit.
        writeAcknowledgements(rows: count, isLast: true)
    }

    /// - Parameter isLast: whether it is the one to see to those that have come since.
    private func writeAcknowledgements(rows: Int, isLast: Bool) {
        let batch = Acknowledgements.Batch(of: acknowledgements, limit: options.rowsPerCommit)
        let done: @Sendable (Result<Void, StoreError>) -> Void = { [self] result in
            switch result {
            case .success: if isLast, batch.leftSome { writeAcknowledgements() }
            // They were not taken, and are no more than one for each user with a device who is connected.
            case .failure(.overloaded): delayAcknowledgements()
            // Those that are lost cost pushes that were not needed; the next ones cover them.
            case .failure: acknowledgements.removeAll()
            }
        }
        write(rows: rows, done) { open in
            for (user, one) in batch.take() {
                try PushWriter(open: open).acknowledge(user, upTo: one.seq, at: one.time)
            }
            return .success(())
        }
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
        // A lease that ends at once would hand out the same jobs for ever.
        let end = max(leaseEnd, now + .milliseconds(1))
        write(rows: max(1, limit), isPromised: false, completion) { open in
            .success(try PushLeasing(open: open, provider: provider, now: now, end: end).lease(limit))
        }
    }

    package func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(rows: max(1, outcomes.count), isPromised: false, completion) { open in
            try PushSettling(open: open, now: now).settle(outcomes)
            return .success(())
        }
    }

    /// A step, and the next one behind whatever was written meanwhile.
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
