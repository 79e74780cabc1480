import Dispatch
import Support
import Testing

@testable import Transport

@Suite struct ShardTests {
    @Test(arguments: PollerKind.allCases)
    func `letters run once each, in order for every sender`(poller: PollerKind) throws {
        let (senders, letters) = (8, 2_000)
        let host = try TestShard(poller)
        let log = QueueBound<[[Int]]>(Array(repeating: [], count: senders), on: host.shard.queue)
        DispatchQueue.concurrentPerform(iterations: senders) { sender in
            for number in 0..<letters { host.shard.post { _ in log.withState { $0[sender].append(number) } } }
        }
        let seen = try host.run { _ in log.withState { $0 } }
        #expect(seen == Array(repeating: Array(0..<letters), count: senders))
    }

    @Test(arguments: PollerKind.allCases)
    func `a letter may post another`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Int>()
        host.shard.post { on in
            on.shard.post { _ in journal.write(2) }
            journal.write(1)
        }
        #expect(try journal.next(2) == [1, 2])
    }

    /// More turns than a shard takes without a look at the rest of its queue.
    @Test(arguments: PollerKind.allCases)
    func `letters that go on posting others are all read, and leave the queue its turns`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<String>()
        @Sendable func post(_ rest: Int) {
            host.shard.post { _ in rest > 0 ? post(rest - 1) : journal.write("read") }
        }
        host.shard.post { _ in post(1_000) }
        #expect(try journal.next() == "read")
        host.shard.post { on in
            on.shard.schedule(at: .now, on) { _ in journal.write("fired") }
            on.shard.queue.async { journal.write("ran") }
            post(1_000)
        }
        #expect(Set(try journal.next(3)) == ["read", "fired", "ran"])
    }

    @Test(arguments: PollerKind.allCases)
    func `letters that are posted together are read when the last one is posted`(poller: PollerKind) throws {
        let group = try ShardGroup(count: 2, poller: poller)
        let journal = Journal<String>()
        group.postTogether {
            for shard in group.shards { shard.post { _ in journal.write("first") } }
            for shard in group.shards { shard.post { _ in journal.write("second") } }
            journal.write("posted")
        }
        let (all, order) = (try journal.next(5), ["first", "second"])
        #expect(all.first == "posted")
        #expect(all.filter { $0 == order[0] }.count == 2 && all.filter { $0 == order[1] }.count == 2)
        group.stop {}
    }

    @Test(arguments: PollerKind.allCases)
    func `timers fire in the order of their deadlines and never early`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<(planned: ContinuousClock.Instant, now: ContinuousClock.Instant)>()
        // The delays are further apart than a tick, so that the deadlines differ.
        let delays = [5, 3, 0, 4, 1, 2].map { Duration.milliseconds($0 * 25) }
        try host.run { on in
            for delay in delays {
                let planned = ContinuousClock.now + delay
                on.shard.schedule(at: planned, on) { _ in journal.write((planned, .now)) }
            }
        }
        let fired = try journal.next(delays.count)
        #expect(fired.allSatisfy { $0.now >= $0.planned })
        #expect(fired.map(\.planned) == fired.map(\.planned).sorted())
    }

    @Test(arguments: PollerKind.allCases)
    func `a timer may set the next one`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Int>()
        try host.run { on in
            on.shard.schedule(at: on.now, on) { on in
                journal.write(1)
                on.shard.schedule(at: on.now + .milliseconds(1), on) { _ in journal.write(2) }
            }
        }
        #expect(try journal.next(2) == [1, 2])
    }

    /// Asked for once by a letter, and once by a timer after all turns have ended.
    @Test(arguments: PollerKind.allCases)
    func `the next turn comes without an event, and is not the same one`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<Bool>()
        @Sendable func ask(_ on: borrowing OnShard) {
            let turn = on.now
            on.shard.atEndOfNextTurn(on) { on in journal.write(on.now > turn) }
        }
        try host.run { on in
            ask(on)
            on.shard.schedule(at: on.now + .milliseconds(100), on, ask)
        }
        #expect(try journal.next(2) == [true, true])
    }

    /// More turns than a shard takes without a look at the rest of its queue.
    @Test(arguments: PollerKind.allCases)
    func `each turn may ask for the next, and leaves the queue its own`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<String>()
        @Sendable func ask(_ rest: Int, _ on: borrowing OnShard) {
            on.shard.atEndOfNextTurn(on) { on in rest > 0 ? ask(rest - 1, on) : journal.write("asked") }
        }
        try host.run { on in
            on.shard.queue.async { journal.write("ran") }
            ask(300, on)
        }
        #expect(try journal.next(2) == ["ran", "asked"])
    }

    @Test(arguments: PollerKind.allCases)
    func `stopping closes what is open, and what is posted later goes nowhere`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let journal = Journal<RecordingHandler.Event>()
        let (client, descriptor) = try TestSocket.pair()
        _ = try host.connect(descriptor, journal, react: RecordingHandler.passive)
        #expect(host.shard.connectionCount == 1)
        try host.stop()
        #expect(try journal.next() == .closed)
        #expect(try client.readToEnd().isEmpty)
        #expect(host.shard.connectionCount == 0)
        host.shard.post { _ in Issue.record("a letter to a shard that has stopped was read") }
    }

    @Test(arguments: PollerKind.allCases)
    func `a shard that stops may be let go of at once`(poller: PollerKind) throws {
        weak var gone: Shard?
        let done = Journal<Bool>()
        do {
            let shard = try Shard(index: 0, poller: poller)
            gone = shard
            // Letters that hold the shard must not keep it.
            shard.post { [shard] _ in _ = shard.index }
            shard.stop { done.write(true) }
            shard.post { [shard] _ in _ = shard.index }
        }
        _ = try done.next()
        let end = ContinuousClock.now + .patience
        while gone != nil, ContinuousClock.now < end { DispatchQueue.global().sync {} }
        #expect(gone == nil)
    }

    @Test(arguments: PollerKind.allCases)
    func `a group stops all its shards`(poller: PollerKind) throws {
        let group = try ShardGroup(count: 3, poller: poller)
        #expect((0..<6).map { _ in group.next.index } == [0, 1, 2, 0, 1, 2])
        let done = Journal<Bool>()
        group.stop { done.write(true) }
        #expect(try done.next())
    }
}
