import Dispatch
package import Inbox
package import Logging
package import Push
package import Store
import Transport

/// Sends pushes to Live Activities, as each service's ``ActivityLane`` decides, on a queue of its own.
package final class ActivitySender: Sendable {
    /// Longer than a try may take, and its outcome to be stored.
    private static let lease = ProviderClient.timeout + .seconds(10)

    private struct State {
        var lanes: [ActivityLane]
        var wakesAt: [Timestamp?]
        /// Services whose last failure was logged.
        var isFailing: [Bool]
    }

    private let services: [(provider: Device.Provider, sender: any ActivitySending)]
    /// Of each service, in the same order.
    let counters: [ActivityCounters]
    private let store: any Store
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let state: QueueBound<State>

    /// Nil without a service that takes such pushes.
    ///
    /// - Parameter now: the clock by which pushes wait.
    package init?(
        _ senders: [Device.Provider: any PushSender], store: any Store, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        services = senders.sorted { $0.key.place < $1.key.place }.compactMap { provider, sender in
            (sender as? any ActivitySending).map { (provider, $0) }
        }
        counters = services.map { ActivityCounters($0.provider) }
        (self.store, self.logger, self.now) = (store, logger, now)
        state = QueueBound(
            State(
                lanes: services.map { _ in ActivityLane(at: now()) }, wakesAt: services.map { _ in nil },
                isFailing: services.map { _ in false }), on: DispatchQueue(label: "belfry.activities", qos: .utility))
        if services.isEmpty { return nil }
    }

    /// To be called once, when the store hears of commits.
    package func start() {
        // Where other nodes have the store, too, their pushes may be under way.
        if store.isShared { return look() }
        // A failure leaves the leases to their ends.
        store.endActivityLeases(at: now()) { [self] _ in look() }
    }

    /// Hears of each commit of this process.
    func committed(_ commit: Commit) {
        guard let due = commit.nextActivityDue else { return }
        state.post { [self] state in
            for index in state.lanes.indices {
                state.lanes[index].expect(due)
                proceed(index, &state)
            }
        }
    }

    private func look() {
        state.post { [self] state in
            for index in state.lanes.indices {
                state.lanes[index].expect(now())
                proceed(index, &state)
            }
        }
    }

    /// Hands out nothing more. What is under way is settled if it comes back in time.
    package func stop() {
        state.post { state in for index in state.lanes.indices { state.lanes[index].close() } }
    }

    // MARK: One service

    private func proceed(_ index: Int, _ state: inout State) {
        switch state.lanes[index].next(at: now()) {
        case .rest: break
        case .wait(let time): wake(index, at: time, &state)
        case .lease(let limit):
            let now = now()
            store.leaseActivities(
                limit, for: services[index].provider, at: now, until: now + Self.lease
            ) { [self] result in
                self.state.post { [self] state in
                    for job in state.lanes[index].leased(result, at: self.now()) { send(job, index) }
                    proceed(index, &state)
                }
            }
        }
    }

    private func send(_ job: ActivityJob, _ index: Int) {
        services[index].sender.send(job.push, to: job.device, at: now()) { [self] verdict in
            state.post { [self] state in
                state.lanes[index].judged(verdict, at: now())
                note(verdict, index, &state)
            }
            let outcome = ActivityOutcome(job, verdict, jitter: .random(in: 0..<1))
            // What cannot be stored counts as lost when its lease ends.
            store.settle([outcome], at: now()) { [self] _ in
                state.post { [self] state in
                    state.lanes[index].settled()
                    proceed(index, &state)
                }
            }
        }
    }

    private func note(_ verdict: Verdict, _ index: Int, _ state: inout State) {
        let name = services[index].provider.name
        switch verdict {
        case .accepted:
            counters[index].sent.add()
            if state.isFailing[index] {
                logger.info("pushes to Live Activities get through again", metadata: ["provider": "\(name)"])
            }
            state.isFailing[index] = false
        case .busy(_, .provider, let cause):
            counters[index].failed.add()
            // Once for each outage.
            if !state.isFailing[index] {
                logger.warning(
                    "pushes to Live Activities do not get through",
                    metadata: ["provider": "\(name)", "reason": "\(cause?.reason ?? "the service is overloaded")"])
            }
            state.isFailing[index] = true
        case .refused(let reason):
            counters[index].failed.add()
            logger.warning(
                "a push to a Live Activity was refused", metadata: ["provider": "\(name)", "reason": "\(reason)"])
        case .busy(_, .device, _), .deviceGone: counters[index].failed.add()
        }
    }

    private func wake(_ index: Int, at time: Timestamp, _ state: inout State) {
        if let known = state.wakesAt[index], known <= time { return }
        state.wakesAt[index] = time
        let delay = max(0, Int((time - now()).milliseconds)) + 1
        self.state.queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            guard let self else { return }
            self.state.withState { state in
                guard state.wakesAt[index] == time else { return }
                state.wakesAt[index] = nil
                state.lanes[index].expect(now())
                proceed(index, &state)
            }
        }
    }
}
