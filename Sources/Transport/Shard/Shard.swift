package import Dispatch
import Synchronization
import WireProtocol

/// Proof of being on a shard's queue: only the shard's entry for events makes one, and it cannot be kept.
///
/// A function that takes it may use the shard's connections. The compiler checks that, at no cost.
package struct OnShard: ~Copyable {
    package let shard: Shard
    /// The start of this turn.
    package let now: ContinuousClock.Instant

    fileprivate init(_ shard: Shard) {
        self.shard = shard
        now = shard.time?() ?? .now
    }
}

/// A serial queue with its poller, timers and connections. A connection is born on a shard and stays there.
///
/// Every event enters by ``enter(_:)`` from one of the shard's Dispatch sources; other threads come through
/// ``post(_:)``.
package final class Shard: @unchecked Sendable {  // all state is reached with an OnShard, which only `enter` makes
    /// The size of the buffers for receiving and for gathering output, shared by all connections.
    private static let bufferBytes = 64 << 10
    /// The number of letters whose memory is kept, 16 bytes each; memory of a burst is freed.
    private static let lettersKept = 256
    /// The bytes of the buffer behind received bytes: JSON is parsed in steps of this length.
    package static let inputPadding = 64

    package let index: Int
    package let queue: DispatchQueue
    private let poller: any Poller
    private let mailbox = Mailbox()
    /// Swapped with the letters in the mailbox; empty except while they are read, and kept for its memory.
    private var letters: [Mailbox.Letter] = []
    private var descriptors = WatchedDescriptors()
    private let clock: ShardClock
    /// Nil for the machine's.
    fileprivate let time: (@Sendable () -> ContinuousClock.Instant)?
    private var timers: ShardTimers
    private let openConnections = Atomic(0)
    /// Called at the end of this turn.
    private var endings: [(borrowing OnShard) -> Void] = []
    /// Called at the end of the next turn.
    private var nextEndings: [(borrowing OnShard) -> Void] = []
    /// Connections with output that this turn has not tried to send yet.
    private var unflushed: [Connection] = []
    /// The unflushed connections whose peers wait for answers.
    private var unanswered: [Connection] = []
    /// The connections that are being flushed; empty between turns, and kept for its memory.
    private var flushing: [Connection] = []
    private var heapTrim = HeapTrimRule()
    /// Without the padding behind it.
    let receiveBuffer: UnsafeMutableRawBufferPointer
    let sendBuffer: UnsafeMutableRawBufferPointer
    /// Compresses the messages of the shard's WebSockets.
    let compression = MessageCompression()
    let handshakes = HandshakeTurns()

    package convenience init(index: Int, poller kind: PollerKind) throws(SystemCallError) {
        let queue = DispatchQueue(label: "belfry.shard.\(index)")
        let poller: any Poller =
            switch kind {
            case .epoll: try EpollPoller(queue: queue)
            case .dispatch: DispatchPoller(queue: queue)
            }
        self.init(index: index, queue: queue, poller: poller, time: nil)
    }

    /// A shard whose poller is another one, such as a simulation's.
    ///
    /// - Parameters:
    ///   - poller: calls the shard on `queue` alone.
    ///   - time: what the clock shows; nil for the machine's.
    package init(
        index: Int, queue: DispatchQueue, poller: any Poller, time: (@Sendable () -> ContinuousClock.Instant)?
    ) {
        (self.index, self.queue, self.poller, self.time) = (index, queue, poller, time)
        clock = ShardClock(from: time?() ?? .now)
        timers = ShardTimers(clock: clock)
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.bufferBytes + Self.inputPadding, alignment: 16)
        room.initializeMemory(as: UInt8.self, repeating: 0)
        receiveBuffer = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.bufferBytes])
        sendBuffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
        poller.start(for: self)
    }

    deinit {
        receiveBuffer.deallocate()
        sendBuffer.deallocate()
    }

    /// The number of open sockets. From any thread.
    package var connectionCount: Int { openConnections.load(ordering: .relaxed) }

    func countConnection(_ change: Int) { openConnections.wrappingAdd(change, ordering: .relaxed) }

    /// Runs `letter` on the shard soon, in order with other letters. From any thread.
    package func post(_ letter: @escaping @Sendable (borrowing OnShard) -> Void) {
        if mailbox.append(letter) { poller.wake(self) }
    }

    /// Delays wake-ups by letters until ``releaseLetters()``, for a thread that is about to post several. If another
    /// event wakes the shard, it reads the letters too. From any thread.
    func holdLetters() { mailbox.hold() }

    func releaseLetters() {
        if mailbox.release() { poller.wake(self) }
    }

    /// One turn: runs the events, then sends all their output, in one system call a connection.
    package func enter(_ body: (borrowing OnShard) -> Void) {
        let on = OnShard(self)
        if !nextEndings.isEmpty { swap(&endings, &nextEndings) }
        body(on)
        finishTurn(on)
    }

    /// Lets all connections and listeners finish their work and close.
    package func leave() {
        post { [self] on in
            for other in descriptors.allOthers { other.shardLeaves(on) }
            for connection in descriptors.connections { connection.shardLeaves(on) }
        }
    }

    /// Closes all connections and stops the sources and timers. Letters that are posted later are dropped.
    ///
    /// The sources do not hold the shard: its owner must keep it until this was called, once.
    package func stop(completion: @escaping @Sendable () -> Void) {
        post { [self] on in
            // Answers that were given in this turn are still sent.
            finishTurn(on)
            for other in descriptors.allOthers { other.shardStops(on) }
            for connection in descriptors.connections { connection.shardStops(on) }
            mailbox.close()
            // Closures of timers may hold the shard.
            timers = ShardTimers(clock: clock)
            poller.stop { [self] in withExtendedLifetime(self, completion) }
        }
    }

    // MARK: Descriptors

    /// Watches a descriptor; `handler` gets its events until ``close(_:_:)``.
    func add(
        _ descriptor: Int32, handler: any PollHandler, for interest: Interest = .reading, _ on: borrowing OnShard
    ) throws(SystemCallError) -> ConnectionID {
        let id = descriptors.nextID(of: descriptor)
        try poller.add(descriptor, generation: id.generation, for: interest)
        _ = descriptors.setInterest(interest, of: id)
        handOver(id, to: handler, on)
        return id
    }

    /// Gives the events of a watched descriptor to another handler.
    func handOver(_ id: ConnectionID, to handler: any PollHandler, _ on: borrowing OnShard) {
        descriptors.setHandler(handler, of: id)
    }

    func watch(_ id: ConnectionID, reading: Bool, writing: Bool, _ on: borrowing OnShard) {
        watch(id, for: Interest(reading ? [.reading] : []).union(writing ? [.writing] : []), on)
    }

    func watch(_ id: ConnectionID, for interest: Interest, isDrained: Bool = false, _ on: borrowing OnShard) {
        guard let previous = descriptors.setInterest(interest, of: id) else { return }
        poller.watch(
            id.descriptor, generation: id.generation, for: interest, insteadOf: previous, isDrained: isDrained)
    }

    func close(_ id: ConnectionID, _ on: borrowing OnShard) {
        if descriptors.remove(id) { poller.close(id.descriptor) }
    }

    /// The open connection with this id.
    package func connection(_ id: ConnectionID, _ on: borrowing OnShard) -> Connection? { descriptors.connection(id) }

    /// All open connections.
    package func connections(_ on: borrowing OnShard) -> [Connection] { descriptors.connections }

    /// The number of pages for ``connections(inPage:_:)``.
    package func connectionPages(_ on: borrowing OnShard) -> Int { descriptors.pageCount }

    /// The open connections of one page of descriptors, 256 at most: for work on every connection that must not run all
    /// at once.
    package func connections(inPage page: Int, _ on: borrowing OnShard) -> [Connection] {
        descriptors.connections(inPage: page)
    }

    package func ready(_ descriptor: Int32, generation: UInt32, _ readiness: Readiness, _ on: borrowing OnShard) {
        let id = ConnectionID(descriptor: descriptor, generation: generation)
        if let connection = descriptors.connection(id) {
            connection.ready(readiness, on)
        } else {
            descriptors.other(id)?.ready(readiness, on)
        }
    }

    /// Called by a poller that calls ``openMailbox(_:looksAgain:)`` at the end of this turn anyway: no letter costs a
    /// wake-up until then.
    func expectOpeningOfMailbox() { mailbox.expectOpening() }

    /// Called by a poller that is about to wait: letters wake it from now on. False if there are letters that would
    /// wake nobody.
    func awaitsLetters() -> Bool { mailbox.expectWaking() }

    /// - Parameter looksAgain: whether the poller calls ``awaitsLetters()`` before it waits. Letters that are posted by
    ///   letters are then read in the next turn without a wake-up.
    package func openMailbox(_ on: borrowing OnShard, looksAgain: Bool = false) {
        var opened = exchange(&letters, with: [])
        mailbox.takeAll(into: &opened, looksAgain: looksAgain)
        guard !opened.isEmpty else {
            letters = opened
            return
        }
        for letter in opened { letter.read(on) }
        opened.removeAll(keepingCapacity: opened.capacity <= Self.lettersKept)
        letters = opened
    }

    // MARK: Output

    func needsFlush(_ connection: Connection, _ on: borrowing OnShard) {
        if connection.flags.isAwaited { unanswered.append(connection) } else { unflushed.append(connection) }
    }

    /// Notes whether bytes may be sent to the socket directly, without its connection.
    func setClear(_ id: ConnectionID, _ isClear: Bool, _ on: borrowing OnShard) { descriptors.setClear(id, isClear) }

    /// The last value of ``setClear(_:_:_:)``; false after the connection has closed.
    func isClear(_ id: ConnectionID, _ on: borrowing OnShard) -> Bool { descriptors.isClear(id) }

    /// Calls `body` once after all events of this turn, before their output is sent: for work that is cheaper to do
    /// together.
    package func atEndOfTurn(_ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void) {
        endings.append(body)
    }

    /// Calls `body` at the end of the next turn, which begins within about a millisecond: for work that may wait that
    /// long to be done together.
    package func atEndOfNextTurn(_ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void) {
        nextEndings.append(body)
        poller.hurry()
    }

    private func finishTurn(_ on: borrowing OnShard) {
        flushAnswers(on)
        while !endings.isEmpty {
            let due = endings
            endings = []
            for ending in due { ending(on) }
        }
        flushAll(on)
        // Handlers may have added work when output drained or a connection ended.
        if !endings.isEmpty { finishTurn(on) }
    }

    /// Sends the output that this turn has queued so far; handlers are told of peers that do not take it. For a caller
    /// that is about to queue much more; handlers must not call it.
    package func flush(_ on: borrowing OnShard) {
        precondition(flushing.isEmpty, "a handler may not flush")
        flushAll(on)
    }

    private func flushAll(_ on: borrowing OnShard) {
        // A flush may end a connection, and its end may make others send: these wait in a new list.
        while !unanswered.isEmpty || !unflushed.isEmpty {
            flushAnswers(on)
            swap(&unflushed, &flushing)
            flushListed(on)
        }
    }

    /// Sends answers before messages to sessions: a backend can publish its next event meanwhile.
    private func flushAnswers(_ on: borrowing OnShard) {
        while !unanswered.isEmpty {
            swap(&unanswered, &flushing)
            flushListed(on)
        }
    }

    private func flushListed(_ on: borrowing OnShard) {
        for connection in flushing { connection.flush(on) }
        flushing.removeAll(keepingCapacity: true)
    }

    // MARK: Memory

    /// Notes that a connection or a handshake has ended and left memory that may be returned.
    func noteEnding(_ on: borrowing OnShard) {
        guard heapTrim.ended() else { return }
        schedule(at: on.now + HeapTrimRule.delay, on) { on in
            on.shard.heapTrim.trimmed()
            Heap.giveBackFreed()
        }
    }

    // MARK: Timers

    func schedule(_ target: TimerTarget, atTick tick: Int64, _ on: borrowing OnShard) -> TimingWheel<TimerTarget>.Timer
    {
        let isNext = timers.isNext(tick)
        let timer = timers.schedule(target, atTick: tick)
        if isNext { poller.setTimer(timers.alarm) }
        return timer
    }

    func cancel(_ timer: TimingWheel<TimerTarget>.Timer, _ on: borrowing OnShard) { timers.cancel(timer) }

    /// The tick of a timer; nil after it has fired or was cancelled.
    func tick(of timer: TimingWheel<TimerTarget>.Timer, _ on: borrowing OnShard) -> Int64? { timers.tick(of: timer) }

    /// The first tick that begins after `deadline`.
    func tick(after deadline: ContinuousClock.Instant) -> Int64 { clock.ticks(to: deadline) + 1 }

    /// Calls `body` on this shard at `deadline`, never earlier.
    package func schedule(
        at deadline: ContinuousClock.Instant, _ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void
    ) {
        _ = schedule(.callback(TimerTarget.Callback(body)), atTick: tick(after: deadline), on)
    }

    package func fireTimers(_ on: borrowing OnShard) {
        guard let due = timers.takeDue(at: on.now) else {
            if timers.hasWaited { poller.setTimer(timers.alarm) }
            return
        }
        for target in due.targets {
            switch target {
            case .connection(let connection): connection.timerFired(atTick: due.tick, on)
            case .callback(let callback): callback.body(on)
            }
        }
        timers.arm()
        poller.setTimer(timers.alarm)
    }
}
