import Inbox
import Store
import Support
import Testing

@testable import Gateway

struct SessionMachineTests {
    @Test func `hello, replay, live: a session goes through them in order`() {
        var inbox = InboxHistory()
        _ = inbox.commit(3)
        var reader = SessionReader(maximumQueuedBytes: 1_000)
        #expect(reader.machine.awaitsHello)
        #expect(reader.machine.position == nil)
        reader.begin()
        #expect(!reader.machine.awaitsHello)
        reader.recovered(inbox.recovery(from: 1))
        reader.deliver(inbox.commit())
        #expect(reader.told == [.replay(2), .replay(3), .live(4)])
        #expect(reader.machine.position == inbox.position(at: 4))
        #expect(!reader.machine.isBehind)
    }

    @Test func `an acknowledgement during a recovery waits for its end, and none waits before or after`() {
        var inbox = InboxHistory()
        _ = inbox.commit(3)
        var machine = SessionMachine()
        let ack = SessionMachine.HeldAcknowledgement(seq: 2, id: "7")
        let most = SessionMachine.HeldAcknowledgement.maximumCount
        var areHeld = [machine.hold(ack)]
        machine.begin(maximumQueuedBytes: 1_000)
        for _ in 0...most { areHeld.append(machine.hold(ack)) }
        let held = machine.recovered(inbox.recovery(from: 1))
        areHeld.append(machine.hold(ack))
        #expect(held == Array(repeating: ack, count: most))
        #expect(areHeld == [false] + Array(repeating: true, count: most) + [false, false])
    }

    @Test func `changes that are committed while the store is read follow the replay, unless the read covers them`() {
        var inbox = InboxHistory()
        _ = inbox.commit(2)
        var reader = SessionReader(maximumQueuedBytes: 10_000)
        reader.begin()
        for stamp in inbox.commit(2) { reader.deliver(stamp) }
        let read = inbox.recovery(from: 1)
        for stamp in inbox.commit(2) { reader.deliver(stamp) }
        #expect(reader.told.isEmpty)
        reader.recovered(read)
        #expect(reader.told == [.replay(2), .replay(3), .replay(4), .live(5), .live(6)])
    }

    @Test func `a commit that arrives after a read that covers it is told once`() {
        var inbox = InboxHistory()
        let stamps = inbox.commit(3)
        var reader = SessionReader(maximumQueuedBytes: 10_000)
        reader.begin()
        reader.recovered(inbox.recovery(from: 0))
        for stamp in stamps { reader.deliver(stamp) }
        reader.deliver(inbox.commit())
        #expect(reader.told == [.replay(1), .replay(2), .replay(3), .live(4)])
    }

    @Test func `news of a commit that comes late, while the replay that has it waits for the reader, is dropped`() {
        var inbox = InboxHistory()
        let stamps = inbox.commit(6)
        var reader = SessionReader(maximumQueuedBytes: 200)
        reader.begin()
        reader.recovered(inbox.recovery(from: 0))
        for stamp in stamps.suffix(2) { reader.deliver(stamp) }
        for _ in 0..<4 { reader.take() }
        #expect(reader.told == (1...6).map { .replay($0) })
    }

    @Test func `after a reset only what is newer than the page follows`() {
        var inbox = InboxHistory()
        _ = inbox.commit(4)
        var reader = SessionReader(maximumQueuedBytes: 10_000)
        reader.begin()
        reader.deliver(inbox.commit())
        let read = inbox.reset
        reader.deliver(inbox.commit())
        reader.recovered(read)
        #expect(reader.told == [.live(6)])
        #expect(reader.machine.position == inbox.position(at: 6))
    }

    @Test func `before hello and after the end nothing is told`() {
        var inbox = InboxHistory()
        var reader = SessionReader(maximumQueuedBytes: 1_000)
        reader.deliver(inbox.commit())
        reader.recovered(inbox.recovery(from: 0))
        #expect(reader.told.isEmpty)
        reader.begin()
        reader.recovered(inbox.recovery(from: 0))
        reader.end()
        reader.begin()
        reader.deliver(inbox.commit())
        reader.recovered(inbox.recovery(from: 0))
        reader.take()
        #expect(reader.told == [.replay(1)])
        #expect(reader.machine.hasEnded)
    }

    // MARK: Slow readers

    @Test func `a replay goes out as fast as the reader takes it`() {
        var inbox = InboxHistory()
        _ = inbox.commit(10)
        var reader = SessionReader(maximumQueuedBytes: 300)
        reader.begin()
        reader.recovered(inbox.recovery(from: 0))
        reader.deliver(inbox.commit())
        #expect(reader.told == [.replay(1), .replay(2), .replay(3)])
        #expect(reader.machine.isBehind)
        // A beat tells of what is queued and no more: what follows would look lost.
        #expect(reader.machine.position == inbox.position(at: 3))
        for _ in 0..<4 { reader.take() }
        #expect(reader.told.frames == Array(1...11))
        #expect(reader.machine.position == inbox.position(at: 11))
    }

    @Test func `a session that is not told of its replay yet stands before it`() {
        var inbox = InboxHistory()
        _ = inbox.commit(5)
        var machine = SessionMachine()
        machine.begin(maximumQueuedBytes: 300)
        machine.recovered(inbox.recovery(from: 2))
        #expect(machine.position == inbox.position(at: 2))
    }

    @Test func `a slow reader's frames become one gap, told when all else is taken`() {
        var inbox = InboxHistory()
        var reader = SessionReader(maximumQueuedBytes: 250)
        reader.begin()
        reader.recovered(inbox.recovery(from: 0))
        for stamp in inbox.commit(6) { reader.deliver(stamp) }
        #expect(reader.told == [.live(1), .live(2)])
        #expect(reader.machine.position == inbox.position(at: 2))
        reader.take(100)
        reader.deliver(inbox.commit())  // there is room, but it would overtake the gap
        reader.take()
        #expect(reader.told == [.live(1), .live(2), .gap(from: 3, to: 7)])
        #expect(reader.machine.position == inbox.position(at: 7))
        reader.deliver(inbox.commit())
        #expect(reader.told.last == .live(8))
    }

    @Test func `more held frames than fit become a gap behind the replay`() {
        var inbox = InboxHistory()
        _ = inbox.commit(2)
        let read = inbox.recovery(from: 0)
        var reader = SessionReader(maximumQueuedBytes: 1_000_000)
        reader.begin()
        for stamp in inbox.commit(600) { reader.deliver(stamp) }
        reader.recovered(read)
        #expect(reader.told.count == 514)
        #expect(reader.machine.isBehind)
        reader.take()
        #expect(reader.told.last == .gap(from: 515, to: 602))
        #expect(reader.told.sequence == Array(1...602))
    }

    @Test(arguments: [550, 600]) func `a read covers the held frames that did not fit, too`(_ covered: Int) {
        var inbox = InboxHistory()
        var reader = SessionReader(maximumQueuedBytes: 1_000_000)
        reader.begin()
        var read = inbox.recovery(from: 0)
        for count in 1...600 {
            reader.deliver(inbox.commit())
            if count == covered { read = inbox.recovery(from: 0) }
        }
        reader.recovered(read)
        #expect(reader.machine.position == inbox.position(at: Int64(covered)))
        reader.take()
        let gap: [SessionReader.Told] = covered < 600 ? [.gap(from: 551, to: 600)] : []
        #expect(reader.told == (1...Int64(covered)).map { .replay($0) } + gap)
        #expect(reader.machine.position == inbox.position(at: 600))
        #expect(!reader.machine.isBehind)
    }

    // MARK: All interleavings

    /// Commits, the read, its answer, deliveries and the reader's pace, in any order that a gateway can produce.
    @Test(arguments: 0..<400 as Range<UInt64>)
    func `every change is told once, by a frame or inside a gap, in order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var inbox = InboxHistory()
        let limit = [1, 150, 1_000, 1_000_000].randomElement(using: &random) ?? 1
        var reader = SessionReader(maximumQueuedBytes: limit, textBytes: .random(in: 1...300, using: &random))
        // Joins behind some commits. The last few of them are still on their way to the shard.
        _ = inbox.commit(.random(in: 0...20, using: &random))
        var delivered = inbox.stamps.count - .random(in: 0...min(3, inbox.stamps.count), using: &random)
        let known = Int64.random(in: 0...Int64(inbox.stamps.count), using: &random)
        let isReset = Int.random(in: 0..<4, using: &random) == 0
        let commitsAtMost = Bool.random(using: &random) ? 4 : 300
        var read: Recovery?
        var isAnswered = false
        reader.begin()
        for _ in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: _ = inbox.commit(.random(in: 1...commitsAtMost, using: &random))
            case 3...6:
                let count = min(.random(in: 1...commitsAtMost, using: &random), inbox.stamps.count - delivered)
                for stamp in inbox.stamps[delivered...].prefix(count) { reader.deliver(stamp) }
                delivered += count
            case 7: reader.take(.random(in: 0...1_000, using: &random))
            case 8: reader.take()
            default:
                guard let answer = read, !isAnswered else {
                    read = read ?? (isReset ? inbox.reset : inbox.recovery(from: known))
                    continue
                }
                reader.recovered(answer)
                isAnswered = true
            }
            if let position = reader.machine.position, let last = reader.told.sequence.last {
                #expect(position == inbox.position(at: last))
            }
        }
        let answer = read ?? inbox.recovery(from: known)
        if !isAnswered { reader.recovered(answer) }
        for stamp in inbox.stamps[delivered...] { reader.deliver(stamp) }
        while reader.queuedBytes > 0 { reader.take() }

        let start = isReset && read != nil ? answer.state.seq : known
        #expect(reader.told.sequence == Array((start + 1)..<(Int64(inbox.stamps.count) + 1)))
        #expect(reader.machine.position == inbox.position(at: Int64(inbox.stamps.count)))
        #expect(!reader.machine.isBehind)
        #expect(reader.mostQueuedBytes <= limit + reader.frameBytes)
    }
}
