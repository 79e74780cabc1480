import Support
import Testing

@testable import Transport

/// The order of events in a pool, in a time of its own.
@Suite struct HTTP2PoolTests {
    typealias Decision = HTTP2Pool.Decision

    // MARK: Connections and streams

    @Test func `the first request opens a connection and waits for it`() {
        var bench = HTTP2PoolBench()
        #expect(bench.enter(2) == [0, 1])
        #expect(bench.decisions() == [.connect(1)])
        #expect(bench.decisions().isEmpty)
        bench.connect(1)
        #expect(bench.decisions() == [.start(0, on: 1), .start(1, on: 1)])
    }

    @Test func `a second connection opens when the first has no stream left, and no third`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(5)
        _ = bench.decisions()
        bench.connect(1, limit: 2)
        #expect(bench.decisions() == [.start(0, on: 1), .start(1, on: 1), .connect(2)])
        bench.connect(2, limit: 2)
        #expect(bench.decisions() == [.start(2, on: 2), .start(3, on: 2)])
        bench.pool.finished(3, wasAnswered: true, at: bench.now)
        #expect(bench.decisions() == [.start(4, on: 2)])
    }

    @Test func `requests go to the first connection while it has streams`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(2)
        _ = bench.decisions()
        bench.connect(1, limit: 1)
        _ = bench.decisions()
        bench.connect(2, limit: 1)
        #expect(bench.decisions() == [.start(1, on: 2)])
        bench.pool.finished(0, wasAnswered: true, at: bench.now)
        bench.pool.finished(1, wasAnswered: true, at: bench.now)
        _ = bench.enter(1)
        #expect(bench.decisions().map { if case .start(_, on: 1) = $0 { true } else { false } } == [true])
    }

    @Test func `before the server says how many streams it takes there are a hundred`() {
        var bench = HTTP2PoolBench { $0.connectionsPerOrigin = 1 }
        _ = bench.enter(150)
        _ = bench.decisions()
        bench.pool.connected(1, at: bench.now)
        #expect(bench.decisions().count == 100)
    }

    @Test func `a limit that falls keeps what is under way and starts nothing until it is met`() {
        var bench = HTTP2PoolBench { $0.connectionsPerOrigin = 1 }
        let tickets = bench.enter(6)
        _ = bench.decisions()
        bench.connect(1, limit: 4)
        #expect(bench.decisions().count == 4)
        bench.pool.limited(1, toStreams: 2)
        for ticket in tickets[0..<2] {
            bench.pool.finished(ticket, wasAnswered: true, at: bench.now)
            #expect(bench.decisions().isEmpty)
        }
        bench.pool.finished(tickets[2], wasAnswered: true, at: bench.now)
        #expect(bench.decisions() == [.start(tickets[4], on: 1)])
        bench.pool.limited(1, toStreams: 3)
        #expect(bench.decisions() == [.start(tickets[5], on: 1)])
    }

    @Test func `a server that takes no streams at all is waited for`() {
        var bench = HTTP2PoolBench { $0.connectionsPerOrigin = 1 }
        _ = bench.enter(1, timeout: .seconds(3))
        _ = bench.decisions()
        bench.connect(1, limit: 0)
        #expect(bench.decisions().isEmpty)
        bench.pass(.seconds(3))
        #expect(bench.decisions() == [.fail(0, .timedOut, on: nil)])
    }

    @Test func `the line is bounded, beyond what may start at once`() {
        var bench = HTTP2PoolBench {
            $0.waitingRequests = 3
            $0.connectionsPerOrigin = 1
        }
        #expect(bench.enter(5).count == 3)
        #expect(bench.enter() == .overloaded)
        _ = bench.decisions()
        bench.connect(1, limit: 10)
        #expect(bench.decisions().count == 3)
        #expect(bench.enter(20).count == 10)
        #expect(bench.enter() == .overloaded)
    }

    // MARK: Deadlines

    @Test func `a request whose time is over leaves the line, or its stream`() {
        var bench = HTTP2PoolBench { $0.connectionsPerOrigin = 1 }
        _ = bench.enter(1, timeout: .seconds(1))
        _ = bench.enter(1, timeout: .seconds(2))
        _ = bench.enter(1, timeout: .seconds(4))
        _ = bench.decisions()
        bench.connect(1, limit: 1)
        #expect(bench.decisions() == [.start(0, on: 1)])
        #expect(bench.pool.nextDeadline == bench.now + .seconds(1))
        bench.pass(.milliseconds(999))
        #expect(bench.decisions().isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.decisions() == [.fail(0, .timedOut, on: 1), .start(1, on: 1)])
        bench.pass(.seconds(3))
        #expect(
            Set(bench.decisions().map(String.init(describing:)))
                == Set(
                    [Decision.fail(1, .timedOut, on: 1), .fail(2, .timedOut, on: nil)].map(String.init(describing:))))
        #expect(bench.decisions().isEmpty)
    }

    @Test func `a connection that answers no request, though it may answer PINGs, is used no more`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1, timeout: .seconds(10))
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        for _ in 0..<9 {
            bench.pass(.seconds(1))
            bench.pool.heard(1, at: bench.now)
        }
        bench.pass(.seconds(1))
        #expect(bench.decisions() == [.fail(0, .timedOut, on: 1), .close(1, .drained)])
        _ = bench.enter(1)
        #expect(bench.decisions() == [.connect(2)])
    }

    @Test func `a connection that answers others, or had little time, is kept`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1, timeout: .seconds(10))
        _ = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pass(.seconds(4))
        bench.pool.heard(1, at: bench.now)
        bench.pool.finished(1, wasAnswered: true, at: bench.now)
        bench.pass(.seconds(6))
        #expect(bench.decisions() == [.fail(0, .timedOut, on: 1)])
        _ = bench.enter(1, timeout: .seconds(1))
        #expect(bench.decisions().count == 1)
        bench.pass(.seconds(1))
        #expect(bench.decisions().count == 1)
        _ = bench.enter(1)
        guard case .start(_, on: 1) = bench.decisions().first else {
            Issue.record("not started on the same connection")
            return
        }
    }

    // MARK: Goodbyes

    @Test func `after a goodbye nothing new goes there, the refused go elsewhere, and the last one closes`() {
        var bench = HTTP2PoolBench()
        let tickets = bench.enter(3)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pool.wentAway(1)
        _ = bench.enter(1)
        bench.pool.refused(tickets[2], at: bench.now)
        #expect(bench.decisions() == [.connect(2)])
        bench.pool.finished(tickets[0], wasAnswered: true, at: bench.now)
        #expect(bench.decisions().isEmpty)
        bench.pool.finished(tickets[1], wasAnswered: true, at: bench.now)
        #expect(bench.decisions() == [.close(1, .drained)])
        bench.connect(2)
        // The refused one was first.
        guard case .start(tickets[2], on: 2) = bench.decisions().first else {
            Issue.record("not started")
            return
        }
        // The socket's end is told late.
        bench.pool.closed(1, at: bench.now, jitter: 0)
        #expect(bench.decisions().isEmpty)
    }

    @Test func `a goodbye without requests closes at once`() {
        var bench = HTTP2PoolBench()
        let tickets = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pool.finished(tickets[0], wasAnswered: true, at: bench.now)
        bench.pool.wentAway(1)
        bench.pool.wentAway(1)
        #expect(bench.decisions() == [.close(1, .drained)])
    }

    @Test func `a request that is refused twice is told so`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pool.refused(0, at: bench.now)
        #expect(bench.decisions() == [.start(0, on: 1)])
        bench.pool.refused(0, at: bench.now)
        #expect(bench.decisions() == [.fail(0, .refused, on: nil)])
    }

    @Test func `a refused request prefers another connection`() {
        var bench = HTTP2PoolBench()
        let tickets = bench.enter(2)
        _ = bench.decisions()
        bench.connect(1, limit: 1)
        _ = bench.decisions()
        bench.connect(2, limit: 2)
        _ = bench.decisions()
        bench.pool.refused(tickets[0], at: bench.now)
        #expect(bench.decisions() == [.start(tickets[0], on: 2)])
    }

    @Test func `a server that always says goodbye does not take all descriptors`() {
        var bench = HTTP2PoolBench { $0.connectionsPerOrigin = 1 }
        var opened = 0
        for _ in 0..<20 {
            _ = bench.enter(1)
            for case .connect(let key) in bench.decisions() {
                opened += 1
                bench.connect(key)
                #expect(bench.decisions().count == 1)
                bench.pool.wentAway(key)
            }
        }
        #expect(opened == 4)
    }

    // MARK: Anything

    @Test(arguments: 0..<50)
    func `each request ends once, and no connection has more streams than it may, whatever happens`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var model = HTTP2PoolModel(connections: Int.random(in: 1...3, using: &random))
        for _ in 0..<1_000 { model.step(using: &random) }
        model.finish()
        #expect(model.entered > 100 && model.ended == model.entered)
        #expect(model.mistakes.isEmpty, "\(model.mistakes.prefix(3))")
    }
}
