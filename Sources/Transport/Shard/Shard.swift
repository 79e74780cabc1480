package import Dispatch
import Synchronization

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
/// Every event enters by ``enter(_:)`` from one of the shard's Dispatch sources; other threads come through ``post(_:)``.
package final class Shard: @unchecked Sendable {  // all state is reached with an OnShard, which only `enter` makes
    /// A timer's resolution.
    private static let tick = Duration.milliseconds(20)
    /// The size of the buffers for receiving and for gathering what is sent, shared by all connections.
    private static let bufferBytes = 64 << 10
    /// So many bytes behind what was received belong to the buffer too: JSON is parsed in steps of this length.
    package static let inputPadding = 64

    private struct Slot {
        var handler: (any PollHandler)?
        var generation: UInt32 = 0
    }

    package let index: Int
    package let queue: DispatchQueue
    private let poller: any Poller
    private let mailbox = Mailbox()
    private let epoch = ContinuousClock.now
    private var slots: [Slot] = []
    private var wheel = TimingWheel<TimerTarget>()
    /// The tick for which the poller's timer is set.
    private var armedTick: Int64?
    private let openConnections = Atomic(0)
    /// Connections with output that this turn has not tried to send yet.
    private var unflushed: [Connection] = []
    /// Those whose turn it is; empty between turns, and kept for its memory.
    private var flushing: [Connection] = []
    /// Without the padding behind it.
    let receiveBuffer: UnsafeMutableRawBufferPointer
    let sendBuffer: UnsafeMutableRawBufferPointer

    package init(index: Int, poller kind: PollerKind) throws(SystemCallError) {
        self.index = index
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

    /// One turn: the events, then everything they want sent, in one system call a connection.
    func enter(_ body: (borrowing OnShard) -> Void) {
        let on = OnShard(self)
        body(on)
        flush(on)
    }

    /// Has everything finish what it has begun, and close.
    package func leave() {
        post { [self] on in
            for slot in slots { slot.handler?.shardLeaves(on) }
        }
    }

    /// Closes what is left and stops the sources. What is posted after that is thrown away.
    ///
    /// The sources do not hold the shard: whoever began it keeps it until this was called, once.
    package func stop(completion: @escaping @Sendable () -> Void) {
        post { [self] on in
            // Answers that were given in this very turn still go out.
            flush(on)
            for slot in slots { slot.handler?.shardStops(on) }
            mailbox.close()
            poller.stop { [self] in withExtendedLifetime(self, completion) }
        }
    }

    // MARK: Descriptors

    /// Watches a descriptor for reading; `handler` hears of it until ``close(_:_:)``.
    func add(
        _ descriptor: Int32, handler: any PollHandler, _ on: borrowing OnShard
    ) throws(SystemCallError) -> ConnectionID {
        if Int(descriptor) >= slots.count {
            slots.append(contentsOf: repeatElement(Slot(), count: max(64, Int(descriptor) + 1 - slots.count)))
        }
        let generation = slots[Int(descriptor)].generation
        try poller.add(descriptor, generation: generation)
        slots[Int(descriptor)].handler = handler
        return ConnectionID(descriptor: descriptor, generation: generation)
    }

    func watch(_ id: ConnectionID, reading: Bool, writing: Bool, _ on: borrowing OnShard) {
        poller.watch(id.descriptor, generation: id.generation, reading: reading, writing: writing)
    }

    func close(_ id: ConnectionID, _ on: borrowing OnShard) {
        guard slots[Int(id.descriptor)].generation == id.generation else { return }
        slots[Int(id.descriptor)].handler = nil
        slots[Int(id.descriptor)].generation &+= 1
        poller.close(id.descriptor)
    }

    /// The open connection of that name.
    package func connection(_ id: ConnectionID, _ on: borrowing OnShard) -> Connection? {
        guard slots.indices.contains(Int(id.descriptor)), slots[Int(id.descriptor)].generation == id.generation
        else { return nil }
        return slots[Int(id.descriptor)].handler as? Connection
    }

    func ready(_ descriptor: Int32, generation: UInt32, _ readiness: Readiness, _ on: borrowing OnShard) {
        guard slots[Int(descriptor)].generation == generation else { return }
        slots[Int(descriptor)].handler?.ready(readiness, on)
    }

    func openMailbox(_ on: borrowing OnShard) {
        for letter in mailbox.takeAll() { letter(on) }
    }

    // MARK: Output

    func needsFlush(_ connection: Connection, _ on: borrowing OnShard) { unflushed.append(connection) }

    private func flush(_ on: borrowing OnShard) {
        // A flush may end a connection, whose end may make others speak: they wait in a new list.
        while !unflushed.isEmpty {
            swap(&unflushed, &flushing)
            for connection in flushing { connection.flush(on) }
            flushing.removeAll(keepingCapacity: true)
        }
    }

    // MARK: Timers

    func schedule(
        _ target: TimerTarget, at deadline: ContinuousClock.Instant, _ on: borrowing OnShard
    ) -> TimingWheel<TimerTarget>.Timer {
        let tick = ticks(to: deadline) + 1
        if armedTick.map({ tick < $0 }) ?? true { arm(tick) }
        return wheel.schedule(target, at: tick)
    }

    func cancel(_ timer: TimingWheel<TimerTarget>.Timer, _ on: borrowing OnShard) { wheel.cancel(timer) }

    /// Calls `body` on this shard at `deadline`, never before.
    package func schedule(
        at deadline: ContinuousClock.Instant, _ on: borrowing OnShard, _ body: @escaping (borrowing OnShard) -> Void
    ) {
        _ = schedule(.callback(body), at: deadline, on)
    }

    func fireTimers(_ on: borrowing OnShard) {
        let tick = ticks(to: on.now)
        guard let armedTick, armedTick <= tick else { return }
        for target in wheel.advance(to: tick) {
            switch target {
            case .connection(let id): connection(id, on)?.deadlineReached(on)
            case .callback(let body): body(on)
            }
        }
        arm(wheel.nextTick)
    }

    private func arm(_ tick: Int64?) {
        armedTick = tick
        poller.setTimer(tick.map { epoch + Self.tick * Int($0) })
    }

    private func ticks(to instant: ContinuousClock.Instant) -> Int64 {
        (instant - epoch).milliseconds / Self.tick.milliseconds
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
