import Dispatch
package import Inbox
package import Logging
package import Push
package import Store
import Transport

/// Sends pushes to Live Activities, as each service's ``LeaseLane`` decides, on a queue of its own.
///
/// One activity's pushes follow each other, because the store hands out one at a time.
package final class ActivitySender: Sendable {
    /// How many of a service's pushes are under way at most.
    static let widest = 32
    /// How often to look for what another node has left.
    private static let lookInterval = Duration.seconds(10)
    /// How long nothing is sent after a service has failed without a word of its own about when to come back.
    private static let servicePause = Duration.seconds(5)
    /// Longer than a try may take, and its outcome to be stored.
    private static let lease = ProviderClient.timeout + .seconds(10)

    private let services: [(provider: Device.Provider, sender: any ActivitySending)]
    /// Of each service, in the same order.
    let counters: [ActivityCounters]
    private let store: any Store
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let lanes: LeaseLanes<ActivityJob>
    /// Services whose last failure was logged.
    private let failing: QueueBound<Set<Int>>

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
        let lane = LeaseLane(at: now(), widest: Self.widest, lookInterval: Self.lookInterval)
        lanes = LeaseLanes(services.count, lane, label: "belfry.activities", now: now)
        failing = QueueBound([], on: lanes.queue)
        if services.isEmpty { return nil }
        lanes.carryOut { [services, store] index, limit, now, completion in
            store.leaseActivities(limit, for: services[index].provider, at: now, until: now + Self.lease) { result in
                completion(result.map { ($0.jobs, $0.nextDue) })
            }
        } send: { [weak self] job, index in
            self?.send(job, index)
        }
    }

    /// To be called once, when the store hears of commits.
    package func start() {
        // Where other nodes have the store, too, their pushes may be under way.
        if store.isShared { return lanes.look() }
        // A failure leaves the leases to their ends.
        store.endActivityLeases(at: now()) { [lanes] _ in lanes.look() }
    }

    /// Hears of each commit of this process.
    func committed(_ commit: Commit) { if let due = commit.nextActivityDue { lanes.expect(due) } }

    /// Hands out nothing more. What is under way is settled if it comes back in time.
    package func stop() { lanes.stop() }

    /// Moves all times, as the clock was set and the store has followed.
    func move(by span: Duration) { lanes.move(by: span) }

    // MARK: One service

    private func send(_ job: ActivityJob, _ index: Int) {
        services[index].sender.send(job.push, to: job.device, at: now()) { [self] verdict in
            switch verdict {
            case .accepted: lanes.succeeded(index)
            case .busy(let retryAfter, .provider, _): lanes.failed(index, pause: retryAfter ?? Self.servicePause)
            // The service is well, and takes others.
            case .busy(_, .device, _), .deviceGone, .refused: break
            }
            failing.post { [self] in note(verdict, index, &$0) }
            let outcome = ActivityOutcome(job, verdict, jitter: .random(in: 0..<1))
            // What cannot be stored counts as lost when its lease ends. A later due time is told with the commit.
            store.settle([outcome], at: now()) { [lanes] _ in lanes.settled(index) }
        }
    }

    private func note(_ verdict: Verdict, _ index: Int, _ failing: inout Set<Int>) {
        let name = services[index].provider.name
        switch verdict {
        case .accepted:
            counters[index].sent.add()
            if failing.remove(index) != nil {
                logger.info("pushes to Live Activities get through again", metadata: ["provider": "\(name)"])
            }
        case .busy(_, .provider, let cause):
            counters[index].failed.add()
            // Once for each outage.
            guard failing.insert(index).inserted else { return }
            logger.warning(
                "pushes to Live Activities do not get through",
                metadata: ["provider": "\(name)", "reason": "\(cause?.reason ?? "the service is overloaded")"])
        case .refused(let reason):
            counters[index].failed.add()
            logger.warning(
                "a push to a Live Activity was refused", metadata: ["provider": "\(name)", "reason": "\(reason)"])
        case .busy(_, .device, _), .deviceGone: counters[index].failed.add()
        }
    }
}
