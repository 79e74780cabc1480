package import Inbox
package import Logging
package import Push
package import Storage
import Synchronization

/// The fallback: a lane for each push service, none of which waits for another.
package final class PushDispatcher: Sendable {
    package struct Options: Sendable {
        /// So many requests are under way at most, for each provider.
        package var concurrency: Int
        /// How long a job is ours; a node that dies meanwhile leaves it to be handed out again.
        package var lease: Duration

        package init(concurrency: Int = 200, lease: Duration = .seconds(60)) {
            self.concurrency = concurrency
            self.lease = lease
        }
    }

    package let senders: [Device.Provider: any PushSender]
    private let lanes: [Device.Provider: PushLane]
    private let now: @Sendable () -> Timestamp

    package init(
        store: any PushQueue, senders: [Device.Provider: any PushSender], options: Options, metrics: Metrics,
        logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.senders = senders
        self.now = now
        var limits = LaneMachine.Limits()
        limits.maximumWindow = options.concurrency
        limits.lease = options.lease
        lanes = Dictionary(
            uniqueKeysWithValues: Device.Provider.allCases.map { provider in
                (
                    provider,
                    PushLane(
                        provider, store: store, sender: senders[provider], limits: limits, metrics: metrics,
                        logger: logger, now: now)
                )
            })
    }

    /// What web pages subscribe with; nil if Web Push is not set up.
    var applicationServerKey: String? { (senders[.webpush] as? WebPushSender)?.publicKey }

    /// Begins with what an earlier process left.
    package func start() { for lane in lanes.values { lane.expect(now()) } }

    /// A job was made that is due then. From any thread.
    package func expect(_ due: Timestamp, for provider: Device.Provider) { lanes[provider]?.expect(due) }

    /// The clock that jobs are due by has moved, and what waits in the store with it. From any thread.
    func move(by span: Duration) { for lane in lanes.values { lane.move(by: span) } }

    /// Begins nothing more; what is under way is settled, or leased out again by the next process.
    package func stop() { for lane in lanes.values { lane.stop() } }

    /// Closes the connections to all providers; pushes that are under way end without an answer.
    package func close(completion: @escaping @Sendable () -> Void) {
        let left = Mutex(senders.count)
        if senders.isEmpty { return completion() }
        for sender in senders.values {
            sender.close {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { completion() }
            }
        }
    }

    /// How all lanes stand, in the order of ``Device/Provider``'s cases. Not to be asked after ``close(completion:)``:
    /// lanes whose senders are closed do not answer.
    package func status(completion: @escaping @Sendable ([LaneStatus]) -> Void) {
        let found = Mutex<[LaneStatus]>([])
        for lane in lanes.values {
            lane.status { [count = lanes.count] status in
                let all: [LaneStatus]? = found.withLock { found in
                    found.append(status)
                    return found.count == count ? found : nil
                }
                guard let all else { return }
                completion(Device.Provider.allCases.compactMap { provider in all.first { $0.provider == provider } })
            }
        }
    }
}
