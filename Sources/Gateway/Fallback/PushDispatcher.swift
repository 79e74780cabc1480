package import Inbox
package import Logging
package import Push
package import Store
import Synchronization

/// The fallback: one lane for each push service, so that no service waits for another.
package final class PushDispatcher: Sendable {
    package struct Options: Sendable {
        /// How many requests are under way at most, for each provider.
        package var concurrency: Int
        /// How long a lease lasts; the jobs of a node that dies are handed out again after it.
        package var lease: Duration

        package init(concurrency: Int = 200, lease: Duration = .seconds(60)) {
            self.concurrency = concurrency
            self.lease = lease
        }
    }

    package let senders: [Device.Provider: any PushSender]
    private let providers: ProviderList
    private let lanes: [Device.Provider: PushLane]
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - clockMoved: as ``StoreOptions/clockMoved``.
    ///   - timer: makes one for each lane.
    ///   - chance: at least 0 and less than 1.
    package init(
        store: any PushQueue, providers: ProviderList = .standard, senders: [Device.Provider: any PushSender],
        options: Options, metrics: Metrics, logger: Logger, tracer: Tracer? = nil,
        now: @escaping @Sendable () -> Timestamp, clockMoved: @escaping @Sendable () -> Duration = { .zero },
        timer: @Sendable () -> sending any LaneTimer = { DispatchLaneTimer() },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.senders = senders
        self.providers = providers
        self.now = now
        var limits = LaneMachine.Limits()
        limits.maximumWindow = options.concurrency
        limits.lease = options.lease
        lanes = Dictionary(
            uniqueKeysWithValues: providers.map { provider in
                (
                    provider,
                    PushLane(
                        provider, store: store, sender: senders[provider], limits: limits, metrics: metrics,
                        logger: logger, tracer: tracer, now: now, clockMoved: clockMoved, timer: timer(),
                        chance: chance)
                )
            })
    }

    /// The key that web pages subscribe with; nil if Web Push is not set up.
    var applicationServerKey: String? { (senders[.webpush] as? WebPushSender)?.publicKey }

    /// Looks for jobs that other processes have left, or may have.
    package func expectAny() { for lane in lanes.values { lane.expect(now()) } }

    /// Notes that a job is due then. From any thread.
    package func expect(_ due: Timestamp, for provider: Device.Provider) { lanes[provider]?.expect(due) }

    /// Moves all times, as the clock was set and the store has followed. From any thread.
    package func move(by span: Duration) { for lane in lanes.values { lane.move(by: span) } }

    /// Begins nothing more. Pushes under way are settled, or leased again by the next process.
    package func stop() { for lane in lanes.values { lane.stop() } }

    /// Closes the connections to all providers; pushes under way end without an answer.
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

    /// The state of all lanes, in the order of the ``ProviderList``. Not to be called after ``close(completion:)``:
    /// lanes with closed senders do not answer.
    package func status(completion: @escaping @Sendable ([LaneStatus]) -> Void) {
        let found = Mutex<[LaneStatus]>([])
        for lane in lanes.values {
            lane.status { [count = lanes.count, providers] status in
                let all: [LaneStatus]? = found.withLock { found in
                    found.append(status)
                    return found.count == count ? found : nil
                }
                guard let all else { return }
                completion(providers.compactMap { provider in all.first { $0.provider == provider } })
            }
        }
    }
}
