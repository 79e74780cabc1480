import Dispatch
import Glibc

/// One Dispatch source a socket: the simple and portable poller.
final class DispatchPoller: Poller {
    /// A descriptor's sources. It is closed after both were cancelled. Closed earlier, a reused descriptor of the same
    /// number might never fire.
    private final class Watch {
        let reading: any DispatchSourceRead
        var writing: (any DispatchSourceWrite)?
        var isReading = true
        var isWriting = false
        var sourcesLeft = 1

        init(_ reading: any DispatchSourceRead) { self.reading = reading }
    }

    /// libdispatch forgets a descriptor at its hang-up, even with unread input.
    private static let readable: Readiness = [.readable, .unrepeated]

    private let queue: DispatchQueue
    private let timer: any DispatchSourceTimer
    private var timerDeadline: ContinuousClock.Instant?
    private var watches: [Int32: Watch] = [:]
    private unowned var shard: Shard?

    init(queue: DispatchQueue) {
        self.queue = queue
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    func start(for shard: Shard) {
        self.shard = shard
        timer.setEventHandler { [self, unowned shard] in
            timerDeadline = nil
            shard.enter { on in on.shard.fireTimers(on) }
        }
        // libdispatch makes the descriptor of its timers with the first timer. Made later, without a free descriptor,
        // that would end the process.
        timer.schedule(deadline: .now() + .seconds(3_600))
        timer.activate()
    }

    func hurry() {
        guard let shard else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) { shard.enter { _ in } }
    }

    func wake(_ shard: Shard) {
        queue.async { shard.enter { on in on.shard.openMailbox(on) } }
    }

    func add(_ descriptor: Int32, generation: UInt32, for interest: Interest) throws(SystemCallError) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let watch = Watch(source)
        source.setEventHandler { [unowned self] in report(descriptor, generation, Self.readable) }
        source.setCancelHandler { DispatchPoller.cancelled(watch, descriptor) }
        watches[descriptor] = watch
        source.activate()
        self.watch(descriptor, generation: generation, for: interest, insteadOf: .reading, isDrained: true)
    }

    func watch(
        _ descriptor: Int32, generation: UInt32, for interest: Interest, insteadOf previous: Interest, isDrained: Bool
    ) {
        guard let watch = watches[descriptor] else { return }
        let (reading, writing) = (interest.contains(.reading), interest.contains(.writing))
        if reading != watch.isReading {
            watch.isReading = reading
            if reading { watch.reading.resume() } else { watch.reading.suspend() }
            // The source's last event may have come before the pause.
            if reading, !isDrained { reportLater(descriptor, generation) }
        }
        guard writing != watch.isWriting else { return }
        watch.isWriting = writing
        if let source = watch.writing {
            if writing { source.resume() } else { source.suspend() }
        } else if writing {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [unowned self] in report(descriptor, generation, .writable) }
            source.setCancelHandler { DispatchPoller.cancelled(watch, descriptor) }
            watch.sourcesLeft += 1
            watch.writing = source
            source.activate()
        }
    }

    func close(_ descriptor: Int32) {
        guard let watch = watches.removeValue(forKey: descriptor) else { return }
        watch.reading.cancel()
        watch.writing?.cancel()
        // A suspended source runs no cancel handler, and must not be released.
        if !watch.isReading { watch.reading.resume() }
        if let writing = watch.writing, !watch.isWriting { writing.resume() }
    }

    private func reportLater(_ descriptor: Int32, _ generation: UInt32) {
        guard let shard else { return }
        queue.async { shard.enter { on in on.shard.ready(descriptor, generation: generation, Self.readable, on) } }
    }

    private func report(_ descriptor: Int32, _ generation: UInt32, _ readiness: Readiness) {
        shard?.enter { on in on.shard.ready(descriptor, generation: generation, readiness, on) }
    }

    private static func cancelled(_ watch: Watch, _ descriptor: Int32) {
        watch.sourcesLeft -= 1
        if watch.sourcesLeft == 0 { Glibc.close(descriptor) }
    }

    func setTimer(_ deadline: ContinuousClock.Instant?) {
        guard deadline != timerDeadline else { return }
        timerDeadline = deadline
        timer.schedule(deadline: deadline.map(DispatchTime.init) ?? .distantFuture, leeway: .milliseconds(5))
    }

    func stop(completion: @escaping @Sendable () -> Void) {
        for descriptor in Array(watches.keys) { close(descriptor) }
        timer.cancel()
        // Cancel handlers run on this queue before a block that is queued behind them.
        queue.async { [queue] in queue.async(execute: completion) }
    }
}
