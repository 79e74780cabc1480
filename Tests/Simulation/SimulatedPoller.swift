import Dispatch
import Glibc
import Transport

/// Watches a shard's sockets in simulated time: the simulation gives the shard its turns.
@MainActor
final class SimulatedPoller {
    /// The same, as a shard sees it.
    final class End: Poller {
        private struct Watch {
            /// Of all that came so far. The numbers of descriptors depend on what else is open.
            let number: Int
            let generation: UInt32
            var interest: Interest
        }

        /// `POLLRDHUP`, which Glibc's module leaves out: the peer sends nothing more (poll(2)).
        private let pollHangUp: Int32 = 0x2000

        private var watches: [Int32: Watch] = [:]
        private var count = 0
        fileprivate var isWoken = false
        fileprivate var alarm: ContinuousClock.Instant?

        func start(for shard: Shard) {}
        func add(_ descriptor: Int32, generation: UInt32, for interest: Interest) throws(SystemCallError) {
            count += 1
            watches[descriptor] = Watch(number: count, generation: generation, interest: interest)
        }
        func watch(
            _ descriptor: Int32, generation: UInt32, for interest: Interest, insteadOf previous: Interest,
            isDrained: Bool
        ) {
            watches[descriptor]?.interest = interest
        }
        func close(_ descriptor: Int32) {
            watches[descriptor] = nil
            Glibc.close(descriptor)
        }
        func setTimer(_ deadline: ContinuousClock.Instant?) { alarm = deadline }
        func hurry() { isWoken = true }
        func wake(_ shard: Shard) { isWoken = true }
        func stop(completion: @escaping @Sendable () -> Void) { completion() }

        /// The sockets with news, the oldest first.
        fileprivate func ready() -> [(descriptor: Int32, generation: UInt32, readiness: Readiness)] {
            let watched = watches.filter { !$0.value.interest.isEmpty }.sorted { $0.value.number < $1.value.number }
            guard !watched.isEmpty else { return [] }
            var polled = watched.map { descriptor, watch in
                var events = watch.interest.contains(.reading) ? POLLIN | pollHangUp : 0
                if watch.interest.contains(.writing) { events |= POLLOUT }
                return pollfd(fd: descriptor, events: Int16(events), revents: 0)
            }
            guard poll(&polled, nfds_t(polled.count), 0) > 0 else { return [] }
            return zip(polled, watched).compactMap { polled, watched in
                let events = Int32(polled.revents)
                guard events != 0 else { return nil }
                var readiness: Readiness = []
                if events & (POLLIN | pollHangUp) != 0 { readiness.insert(.readable) }
                if events & POLLOUT != 0 { readiness.insert(.writable) }
                if events & (POLLERR | POLLHUP) != 0 { readiness.formUnion(.ended) }
                if events & (POLLERR | POLLHUP | pollHangUp) != 0 { readiness.insert(.unrepeated) }
                return (watched.key, watched.value.generation, readiness)
            }
        }
    }

    let shard: Shard
    private let end: End
    private let timeline: Timeline

    /// - Parameter index: the shard's place among its node's.
    init(shardOf index: Int, _ timeline: Timeline) {
        let end = End()
        (self.end, self.timeline) = (end, timeline)
        shard = Shard(index: index, queue: .init(label: "simulated shard"), poller: end) {
            MainActor.assumeIsolated { timeline.instant }
        }
    }

    /// When the shard's next timer is due; nil without one.
    var alarm: ContinuousClock.Instant? { end.alarm }

    /// Whether a turn now would find something to do.
    var hasWork: Bool {
        end.isWoken || end.alarm.map { $0 <= timeline.instant } ?? false || !end.ready().isEmpty
    }

    /// One turn: everything that is there, in one go.
    func turn() {
        enter { on in
            for ready in end.ready() {
                on.shard.ready(ready.descriptor, generation: ready.generation, ready.readiness, on)
            }
            if let alarm = end.alarm, alarm <= on.now {
                end.alarm = nil
                on.shard.fireTimers(on)
            }
            if end.isWoken {
                end.isWoken = false
                on.shard.openMailbox(on)
            }
        }
    }

    /// Does something on the shard.
    func enter(_ body: (borrowing OnShard) -> Void) { shard.queue.sync { shard.enter(body) } }
}
