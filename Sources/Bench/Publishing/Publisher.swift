import Dispatch
import Transport

/// One running stream of publications, for the run that began it.
final class Publisher: Sendable {
    /// Not shorter, because other work gets its turn between two looks.
    private static let shortestPause: Int64 = 200_000

    private let shard: Shard
    private let state: QueueBound<ShardPublisher>
    private let clock: QueueBound<any DispatchSourceTimer>

    /// - Parameters:
    ///   - stream: the stream's number in its markers.
    ///   - ready: the number of ready sessions.
    init(
        _ plan: PublishPlan, stream: Int, schedule: Schedule, ready: Int, shard: Shard,
        delivered: @escaping @Sendable () -> Int
    ) {
        self.shard = shard
        let queue = DispatchQueue(label: "bench.publisher")
        // Strict: a timer that waits to fire together with others would make publications late.
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        let clock = QueueBound<any DispatchSourceTimer>(timer, on: queue)
        self.clock = clock
        let publisher = ShardPublisher(
            plan, stream: stream, schedule: schedule, ready: ready, seed: UInt64(stream), delivered: delivered
        ) { moment in
            // Dispatch's uptime is the schedule's clock.
            let moment = DispatchTime(uptimeNanoseconds: UInt64(max(moment, BenchClock.now + Self.shortestPause)))
            clock.post { $0.schedule(deadline: moment, leeway: .nanoseconds(0)) }
        }
        state = QueueBound(publisher, on: shard.queue)
    }

    func begin(tokens: TokenSource?) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            shard.post { [state] on in
                continuation.resume(with: Result { try state.withState { $0 }.begin(tokens: tokens, on) })
            }
        }
        clock.post { [self] timer in
            timer.setEventHandler { [weak self] in self?.step() }
            timer.schedule(deadline: .now())
            timer.activate()
        }
    }

    private func step() {
        shard.post { [state] on in state.withState { $0 }.wakeUp(on) }
    }

    func tally() async -> PublishTally {
        await withCheckedContinuation { continuation in
            shard.post { [state] _ in continuation.resume(returning: state.withState { $0 }.tally) }
        }
    }

    /// Stops sending; answers still count.
    func finish() {
        shard.post { [state] _ in state.withState { $0 }.finish() }
    }

    func end() async {
        clock.post { $0.cancel() }
        await withCheckedContinuation { continuation in
            shard.post { [state] on in
                state.withState { $0 }.end(on)
                continuation.resume()
            }
        }
    }
}
