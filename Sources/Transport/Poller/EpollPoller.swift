import CLinux
import Dispatch
import Glibc

/// One Dispatch source watches the shard's own epoll descriptor, which holds all of the shard's sockets.
///
/// Each event of a source costs libdispatch about eight system calls, so the handler stays while there is work. Its
/// last `epoll_wait` lingers before it returns to libdispatch. Other threads wake it by an eventfd.
final class EpollPoller: Poller {
    /// How long the handler waits for more before it returns, in milliseconds; the most that other work on the queue
    /// waits.
    private static let linger: Int32 = 10
    /// The same before a requested turn: the shortest wait of `epoll_wait`, in milliseconds.
    private static let hurriedLinger: Int32 = 1
    /// The number of batches before the queue's other work gets its turn.
    private static let batchesPerTurn = 128
    private static let eventsPerBatch = 256
    private static let wakeKey = UInt64.max

    private let epoll: Int32
    private let wakeup: Int32
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: eventsPerBatch)
    /// The next time of the shard's timers, and the time that the Dispatch timer is set to.
    private var timerDeadline: ContinuousClock.Instant?
    private var armedDeadline: ContinuousClock.Instant?
    /// During a turn the shard checks its timers after each batch.
    private var isInTurn = false
    /// Whether the handler must give the shard another turn before it returns.
    private var isHurried = false

    init(queue: DispatchQueue) throws(SystemCallError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemCallError("epoll_create1", errno: errno) }
        wakeup = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard wakeup >= 0 else {
            let error = SystemCallError("eventfd", errno: errno)
            Glibc.close(epoll)
            throw error
        }
        self.queue = queue
        source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        var event = belfry_epoll_event(EPOLLIN.rawValue, Self.wakeKey)
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event)
    }

    deinit {
        events.deallocate()
        // Closed only here: threads that hold the shard may wake it at any time, and the number could belong to another
        // file.
        Glibc.close(wakeup)
    }

    func start(for shard: Shard) {
        source.setEventHandler { [self, unowned shard] in turn(of: shard) }
        source.setCancelHandler { [epoll] in Glibc.close(epoll) }
        timer.setEventHandler { [self, unowned shard] in
            armedDeadline = nil
            shard.enter { on in on.shard.fireTimers(on) }
            armTimer()
        }
        // libdispatch makes the descriptor of its timers with the first timer. Made later, without a free descriptor,
        // that would end the process.
        timer.schedule(deadline: .now() + .seconds(3_600))
        timer.activate()
        source.activate()
    }

    func hurry() {
        isHurried = true
        if !isInTurn { wake() }
    }

    func wake(_ shard: Shard) { wake() }

    private func wake() {
        var one: UInt64 = 1
        // A full counter means that a wake-up is pending already.
        _ = write(wakeup, &one, MemoryLayout<UInt64>.size)
    }

    private func turn(of shard: Shard) {
        isInTurn = true
        defer {
            isInTurn = false
            armTimer()
        }
        for batch in 0..<Self.batchesPerTurn {
            let isLingering = batch > 0 && shard.awaitsLetters()
            let linger = isHurried ? Self.hurriedLinger : Self.linger
            isHurried = false
            let ready = epoll_wait(epoll, events, Int32(Self.eventsPerBatch), isLingering ? linger : 0)
            shard.expectOpeningOfMailbox()
            shard.enter { on in
                for index in 0..<Int(max(ready, 0)) { dispatch(events[index], on) }
                on.shard.fireTimers(on)
                on.shard.openMailbox(on, looksAgain: true)
            }
            if ready <= 0 && isLingering && !isHurried && shard.awaitsLetters() { return }
        }
        if !shard.awaitsLetters() || isHurried { wake() }
    }

    private func dispatch(_ event: epoll_event, _ on: borrowing OnShard) {
        guard event.data.u64 != Self.wakeKey else {
            var count: UInt64 = 0
            // This only resets the counter, because each turn opens the mailbox; a missing wake-up does no harm.
            _ = read(wakeup, &count, MemoryLayout<UInt64>.size)
            return
        }
        var readiness: Readiness = []
        if event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.formUnion(.ended) }
        // The end comes together with the last bytes, or alone; only a read without bytes shows it.
        if event.events & (EPOLLRDHUP.rawValue | EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
            readiness.insert(.unrepeated)
        }
        let descriptor = Int32(truncatingIfNeeded: event.data.u64)
        on.shard.ready(descriptor, generation: UInt32(truncatingIfNeeded: event.data.u64 >> 32), readiness, on)
    }

    func add(_ descriptor: Int32, generation: UInt32, for interest: Interest) throws(SystemCallError) {
        var event = belfry_epoll_event(events(of: interest), key(descriptor, generation))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemCallError("epoll_ctl", errno: errno)
        }
    }

    func watch(
        _ descriptor: Int32, generation: UInt32, for interest: Interest, insteadOf previous: Interest, isDrained: Bool
    ) {
        // epoll reports hang-ups always and without end, so a descriptor without interest is removed from the set.
        let operation = interest.isEmpty ? EPOLL_CTL_DEL : previous.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        var event = belfry_epoll_event(events(of: interest), key(descriptor, generation))
        epoll_ctl(epoll, operation, descriptor, &event)
    }

    private func events(of interest: Interest) -> UInt32 {
        // EPOLLRDHUP belongs to reading: otherwise, while reading is paused, a half-close would fire without end.
        var events = interest.contains(.reading) ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0
        if interest.contains(.writing) { events |= EPOLLOUT.rawValue }
        if interest.contains(.onlyNews) { events |= EPOLLET.rawValue }
        return events
    }

    func close(_ descriptor: Int32) {
        // The close removes the descriptor from the epoll set; later events of this batch have an old generation.
        Glibc.close(descriptor)
    }

    func setTimer(_ deadline: ContinuousClock.Instant?) {
        timerDeadline = deadline
        if !isInTurn { armTimer() }
    }

    /// Called at the end of a turn, not at each change: setting a Dispatch timer costs several system calls.
    private func armTimer() {
        guard timerDeadline != armedDeadline else { return }
        armedDeadline = timerDeadline
        timer.schedule(deadline: timerDeadline.map(DispatchTime.init) ?? .distantFuture, leeway: .milliseconds(5))
    }

    func stop(completion: @escaping @Sendable () -> Void) {
        timer.cancel()
        source.cancel()
        // Cancel handlers run on this queue before a block that is queued behind them.
        queue.async { [queue] in queue.async(execute: completion) }
    }

    private func key(_ descriptor: Int32, _ generation: UInt32) -> UInt64 {
        UInt64(UInt32(bitPattern: descriptor)) | UInt64(generation) << 32
    }
}

extension DispatchTime {
    /// The same moment on Dispatch's clock. Like `ContinuousClock`, it counts while the machine runs.
    init(_ instant: ContinuousClock.Instant) {
        let left = ContinuousClock.now.duration(to: instant)
        let nanoseconds = left.components.seconds * 1_000_000_000 + left.components.attoseconds / 1_000_000_000
        self = .now() + .nanoseconds(Int(max(nanoseconds, 0)))
    }
}
