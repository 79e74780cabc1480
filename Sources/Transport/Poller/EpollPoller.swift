import CLinux
import Dispatch
import Glibc

/// One Dispatch source watches the shard's own epoll descriptor, which holds all of the shard's sockets.
///
/// An event of a source costs libdispatch about eight system calls, so the handler stays for as long as there is work:
/// its last `epoll_wait` lingers before it goes back to libdispatch. Other threads wake it by an eventfd.
final class EpollPoller: Poller {
    /// How long the handler waits for more before it returns; other work on the queue waits as long at most.
    private static let linger: Int32 = 10
    /// The same before a turn that was asked for: the shortest that `epoll_wait` knows, in milliseconds.
    private static let hurriedLinger: Int32 = 1
    /// After so many batches the queue's other work gets its turn.
    private static let batchesPerTurn = 128
    private static let eventsPerBatch = 256
    private static let wakeKey = UInt64.max

    private let epoll: Int32
    private let wakeup: Int32
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: eventsPerBatch)
    /// When the shard's timers want to be called next, and when the Dispatch timer will.
    private var timerDeadline: ContinuousClock.Instant?
    private var armedDeadline: ContinuousClock.Instant?
    /// During a turn the shard looks at its timers after each batch.
    private var isInTurn = false
    /// Whether the handler may not return before it has given the shard another turn.
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
        // Not before: threads that hold the shard may wake it at any time, and the number would be somebody else's.
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
        // libdispatch makes its timers' descriptor when the first one is set, and ends a process that has none left by
        // then.
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
                let count = Int(max(ready, 0))
                on.shard.prefetch(count) { Int32(truncatingIfNeeded: events[$0].data.u64) }
                for index in 0..<count { dispatch(events[index], on) }
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
            // Only resets the counter, as each turn opens the mailbox; a wake-up that is gone already is none the
            // worse.
            _ = read(wakeup, &count, MemoryLayout<UInt64>.size)
            return
        }
        var readiness: Readiness = []
        if event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.formUnion(.ended) }
        // The end is told with the last bytes before it, or alone; only a read that finds nothing shows it.
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
        // epoll tells hang-ups whether asked or not, and without end: what nobody waits for is not in the set at all.
        let operation = interest.isEmpty ? EPOLL_CTL_DEL : previous.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        var event = belfry_epoll_event(events(of: interest), key(descriptor, generation))
        epoll_ctl(epoll, operation, descriptor, &event)
    }

    private func events(of interest: Interest) -> UInt32 {
        // EPOLLRDHUP goes with reading: while reading is paused, a half-close would otherwise fire without end.
        var events = interest.contains(.reading) ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0
        if interest.contains(.writing) { events |= EPOLLOUT.rawValue }
        if interest.contains(.onlyNews) { events |= EPOLLET.rawValue }
        return events
    }

    func close(_ descriptor: Int32) {
        // Closing takes the descriptor out of the epoll set; later events of this batch are of an old generation.
        Glibc.close(descriptor)
    }

    func setTimer(_ deadline: ContinuousClock.Instant?) {
        timerDeadline = deadline
        if !isInTurn { armTimer() }
    }

    /// At the end of a turn, not at each change: setting a Dispatch timer costs several system calls.
    private func armTimer() {
        guard timerDeadline != armedDeadline else { return }
        armedDeadline = timerDeadline
        timer.schedule(deadline: timerDeadline.map(DispatchTime.init) ?? .distantFuture, leeway: .milliseconds(5))
    }

    func stop(completion: @escaping @Sendable () -> Void) {
        timer.cancel()
        source.cancel()
        // Cancel handlers run on this queue before what is queued here after them.
        queue.async { [queue] in queue.async(execute: completion) }
    }

    private func key(_ descriptor: Int32, _ generation: UInt32) -> UInt64 {
        UInt64(UInt32(bitPattern: descriptor)) | UInt64(generation) << 32
    }
}

extension DispatchTime {
    /// The same moment on Dispatch's clock, which like `ContinuousClock` counts while the machine runs.
    init(_ instant: ContinuousClock.Instant) {
        let left = ContinuousClock.now.duration(to: instant)
        let nanoseconds = left.components.seconds * 1_000_000_000 + left.components.attoseconds / 1_000_000_000
        self = .now() + .nanoseconds(Int(max(nanoseconds, 0)))
    }
}
