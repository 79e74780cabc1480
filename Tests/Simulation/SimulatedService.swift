import Gateway
import Inbox
import Push
import Transport

/// A push service with the phones that it reaches, as a node sees it.
final class SimulatedService: PushSender {
    let laneQueue: SerialQueue
    private let deliver: @MainActor (PushMessage, Device, @escaping @Sendable (Verdict) -> Void) -> Void

    /// - Parameter deliver: judges a push, some time later.
    @MainActor
    init(
        on shard: Shard,
        deliver: @escaping @MainActor (PushMessage, Device, @escaping @Sendable (Verdict) -> Void) -> Void
    ) {
        laneQueue = .shard(shard)
        self.deliver = deliver
    }

    func send(
        _ message: PushMessage, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void
    ) {
        MainActor.assumeIsolated { deliver(message, device, completion) }
    }

    func readKey() async throws {}
    func close(completion: @escaping @Sendable () -> Void) { completion() }
}
