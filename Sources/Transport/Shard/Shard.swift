package import Dispatch
import Synchronization
import WireProtocol

/// Proof of being on a shard's queue: only an event's entry into the shard makes one, and it cannot be kept.
///
/// What takes it may touch the shard's connections; the compiler checks that, and it costs nothing.
package struct OnShard: ~Copyable {
    package let shard: Shard
    /// When this turn of the loop began.
    package let now: ContinuousClock.Instant

    fileprivate init(_ shard: Shard) {
        self.shard = shard
        now = .now
    }
}

/// A serial queue with its poller, timers and connections. A connection is born on a shard and stays there.
///
/// Every event enters by ``enter(_:)`` from one of the shard's Dispatch sources; other threads come through
/// ``post(_:)``.
package final class Shard: @unchecked Sendable {  // all state is reached with an OnShard, which only `enter` makes
    /// The size of the buffers for receiving and for gathering what is sent, shared by all connections.
    private static let bufferBytes = 64 << 10
    /// Room for so many letters is kept, 16 bytes each; what a burst took is given back.
    private static let lettersKept = 256
    /// So many bytes behind what was received belong to the buffer too: JSON is parsed in steps of this length.
    package static let inputPadding = 64

    package let index: Int
    package let queue: DispatchQueue
    private let poller: any Poller
    private let mailbox = Mailbox()
    /// Changes places with those that lie in the mailbox; empty but while they are read, and kept for its memory.
    private var letters: [Mailbox.Letter] = []
    private var descriptors = WatchedDescriptors()
    private let clock: ShardClock
    private var timers: ShardTimers
    private let openConnections = Atomic(0)
    /// What wants to know that this turn ends.
    private var endings: [(borrowing OnShard) -> Void] = []
    /// What wants to know that the next one does.
    private var nextEndings: [(borrowing OnShard) -> Void] = []
    /// Connections with output that this turn has not tried to send yet.
    private var unflushed: [Connection] = []
    /// Those of them whose peers wait for answers.
    private var unanswered: [Connection] = []
    /// Those whose turn it is; empty between turns, and kept for its memory.
    private var flushing: [Connection] = []
    private var heapTrim = HeapTrimRule()
    /// Without the padding behind it.
    let receiveBuffer: UnsafeMutableRawBufferPointer
    let sendBuffer: UnsafeMutableRawBufferPointer
    /// For the messages of its WebSockets.
    let compression = MessageCompression()
    let handshakes = HandshakeTurns()

    package init(index: Int, poller kind: PollerKind) throws(SystemCallError) {
        self.index = index
        clock = ShardClock()
        timers = ShardTimers(clock: clock)
        queue = DispatchQueue(label: "belfry.shard.\(index)")
        switch kind {
        case .epoll: poller = try EpollPoller(queue: queue)
        case .dispatch: poller = DispatchPoller(queue: queue)
        }
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

    /// How many sockets it serves. From any thread.
    package var connectionCount: Int { openConnections.load(ordering: .relaxed) }

    func countConnection(_ change: Int) { openConnections.wrappingAdd(change, ordering: .relaxed) }

    /// Runs `letter` on the shard soon, in order with other letters. From any thread.
    package func post(_ letter: @escaping @Sendable (borrowing OnShard) -> Void) {
        if mailbox.append(letter) { poller.wake(self) }
    }

    /// Keeps the shard from being woken by letters, until ``releaseLetters()``: for whoever is about to post several.
    /// What wakes it otherwise has it read them, too. From any thread.
    func holdLetters() { mailbox.hold() }

    func releaseLetters() {
        if mailbox.release() { poller.wake(self) }
    }

    /// One turn: the events, then everything they want sent, in one system call a connection.
    func enter(_ body: (borrowing OnShard) -> Void) {
        let on = OnShard(self)
        if !nextEndings.isEmpty { swap(&endings, &nextEndings) }
        body(on)
        finishTurn(on)
    }

    /// Has everything finish what it has begun, and close.
    package func leave() {
        post { [self] on in
            for other in descriptors.allOthers { other.shardLeaves(on) }
            for connection in descriptors.connections { connection.shardLeaves(on) }
        }
    }

    /// Closes what is left and stops the sources. What is posted after that is thrown away.
    ///
    /// The sources do not hold the shard: whoever began it keeps it until this was called, once.
    package func stop(completion: @escaping @Sendable () -> Void) {
        post { [self] on in
            // Answers that were given in this very turn still go out.
            finishTurn(on)
            for other in descriptors.allOthers { other.shardStops(on) }
            for connection in descriptors.connections { connection.shardStops(on) }
            mailbox.close()
            poller.stop { [self] in withExtendedLifetime(self, completion) }
        }
    }

    // MARK: Descriptors

    /// Watches a descriptor; `handler` hears of it until ``close(_:_:)``.
    func add(
        _ descriptor: Int32, handler: any PollHandler, for interest: Interest = .reading, _ on: borrowing OnShard
    ) throws(SystemCallError) -> ConnectionID {
        let id = descriptors.nextID(of: descriptor)
        try poller.add(descriptor, generation: id.generation, for: interest)
        _ = descriptors.setInterest(interest, of: id)
        handOver(id, to: handler, on)
        return id
    }

    /// Another object hears of a watched descriptor from now on.
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

    /// The open connection of that name.
    package func connection(_ id: ConnectionID, _ on: borrowing OnShard) -> Connection? { descriptors.connection(id) }

    /// All open connections.
    package func connections(_ on: borrowing OnShard) -> [Connection] { descriptors.connections }

    /// How many pages of descriptors ``connections(inPage:_:)`` knows.
    package func connectionPages(_ on: borrowing OnShard) -> Int { descriptors.pageCount }

    /// The open connections of one page of descriptors, 256 at most: for whoever has something to do with each, and not
    /// all at once.
    package func connections(inPage page: Int, _ on: borrowing OnShard) -> [Connection] {
        descriptors.connections(inPage: page)
    }

    /// To be called before ``ready(_:generation:_:_:)`` for several: has all that they are about brought to the
    /// processor at once.
    func prefetch(_ count: Int, _ descriptor: (Int) -> Int32) { descriptors.prefetch(count, descriptor) }

    func ready(_ descriptor: Int32, generation: UInt32, _ readiness: Readiness, _ on: borrowing OnShard) {
        let id = ConnectionID(descriptor: descriptor, generation: generation)
        if let connection = descriptors.connection(id) {
            connection.ready(readiness, on)
        } else {
            descriptors.other(id)?.ready(readiness, on)
        }
    }

    /// For a poller that calls ``openMailbox(_:looksAgain:)`` at the end of this turn anyway: until then no letter
    /// costs a wake-up.
    func expectOpeningOfMailbox() { mailbox.expectOpening() }

    /// For a poller that is about to wait: letters wake it from now on. False if there are some that nobody wakes it
    /// for.
    func awaitsLetters() -> Bool { mailbox.expectWaking() }

    /// - Parameter looksAgain: the poller calls ``awaitsLetters()`` before it waits. What the letters' readers post is
    ///   then read in the next turn without a wake-up.
    func openMailbox(_ on: borrowing OnShard, looksAgain: Bool = false) {
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

    /// Notes whether the socket may be sent to past its connection.
    func setClear(_ id: ConnectionID, _ isClear: Bool, _ on: borrowing OnShard) { descriptors.setClear(id, isClear) }

    /// What ``setClear(_:_:_:)`` noted last; false once the connection is closed.
    func isClear(_ id: ConnectionID, _ on: borrowing OnShard) -> Bool { descriptors.isClear(id) }

    /// Calls `body` once when all of this turn's events were taken, before what they want sent goes out: for what is
    /// cheaper to do together.
    package func atEndOfTurn(_ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void) {
        endings.append(body)
    }

    /// The same in the next turn, which begins about a millisecond later if nothing calls for it before: for what may
    /// wait so long for company.
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
        // What handlers do when an output drained or a connection ended.
        if !endings.isEmpty { finishTurn(on) }
    }

    /// Sends what this turn has queued so far, as every turn does in the end; handlers hear whose peer does not take
    /// it. For whoever is about to queue much more, but not for handlers.
    package func flush(_ on: borrowing OnShard) {
        precondition(flushing.isEmpty, "a handler may not flush")
        flushAll(on)
    }

    private func flushAll(_ on: borrowing OnShard) {
        // A flush may end a connection, whose end may make others speak: they wait in a new list.
        while !unanswered.isEmpty || !unflushed.isEmpty {
            flushAnswers(on)
            swap(&unflushed, &flushing)
            flushListed(on)
        }
    }

    /// Before whatever sessions are told: a backend then publishes its next event meanwhile.
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

    /// A connection or a handshake has ended, and has left memory that may be given back.
    func noteEnding(_ on: borrowing OnShard) {
        guard heapTrim.ended() else { return }
        schedule(at: on.now + HeapTrimRule.delay, on) { on in
            on.shard.heapTrim.trimmed()
            FreedMemory.giveBack()
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

    /// When a timer is to fire; nil once it has fired or was cancelled.
    func tick(of timer: TimingWheel<TimerTarget>.Timer, _ on: borrowing OnShard) -> Int64? { timers.tick(of: timer) }

    /// The first tick that begins after `deadline`.
    func tick(after deadline: ContinuousClock.Instant) -> Int64 { clock.ticks(to: deadline) + 1 }

    /// Calls `body` on this shard at `deadline`, never before.
    package func schedule(
        at deadline: ContinuousClock.Instant, _ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void
    ) {
        _ = schedule(.callback(TimerTarget.Callback(body)), atTick: tick(after: deadline), on)
    }

    func fireTimers(_ on: borrowing OnShard) {
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
