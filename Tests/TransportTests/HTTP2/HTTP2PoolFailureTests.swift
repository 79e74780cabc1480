import Testing

@testable import Transport

/// A pool whose server cannot be reached, dies or falls silent, in a time of its own.
@Suite struct HTTP2PoolFailureTests {
    @Test func `a connection that dies takes its requests with it, and those that wait get another`() {
        var bench = HTTP2PoolBench { $0.connectionsPerOrigin = 1 }
        let tickets = bench.enter(3)
        _ = bench.decisions()
        bench.connect(1, limit: 2)
        _ = bench.decisions()
        bench.pool.finished(tickets[0], wasAnswered: true, at: bench.now)
        _ = bench.decisions()
        _ = bench.enter(1)
        bench.pool.closed(1, at: bench.now, jitter: 0.5)
        #expect(
            bench.decisions() == [
                .fail(tickets[1], .connectionLost, on: nil), .fail(tickets[2], .connectionLost, on: nil), .connect(2),
            ])
    }

    @Test func `after a failure to connect requests fail at once, for longer each time`() {
        var bench = HTTP2PoolBench {
            $0.firstPause = .seconds(1)
            $0.longestPause = .seconds(3)
        }
        for (key, pause) in [(1, 0.75), (2, 1.5), (3, 2.25), (4, 2.25)] {
            _ = bench.enter(2)
            #expect(bench.decisions() == [.connect(key)])
            bench.pool.closed(key, at: bench.now, jitter: 0.5)
            #expect(
                bench.decisions().allSatisfy { if case .fail(_, .unreachable, on: nil) = $0 { true } else { false } })
            #expect(bench.enter() == .unreachable)
            #expect(!bench.pool.isForgettable(at: bench.now))
            bench.pass(.seconds(pause) - .nanoseconds(1))
            #expect(bench.enter() == .unreachable)
            bench.pass(.nanoseconds(1))
            #expect(bench.pool.isForgettable(at: bench.now))
        }
        _ = bench.enter(1)
        #expect(bench.decisions() == [.connect(5)])
        bench.connect(5)
        _ = bench.decisions()
        bench.pool.finished(0, wasAnswered: true, at: bench.now)
        // Answered: what was before is forgiven.
        bench.pool.closed(5, at: bench.now, jitter: 0.5)
        #expect(bench.enter(1).count == 1)
        #expect(bench.decisions() == [.connect(6)])
        bench.pool.closed(6, at: bench.now, jitter: 0.5)
        bench.pass(.milliseconds(750))
        #expect(bench.enter(1).count == 1)
    }

    @Test func `a server that accepts and hangs up is left alone as well`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pool.closed(1, at: bench.now, jitter: 0)
        #expect(bench.decisions() == [.fail(0, .connectionLost, on: nil)])
        #expect(bench.enter() == .unreachable)
    }

    @Test func `a second connection that fails leaves requests to the first`() {
        var bench = HTTP2PoolBench()
        let tickets = bench.enter(2)
        _ = bench.decisions()
        bench.connect(1, limit: 1)
        #expect(bench.decisions() == [.start(tickets[0], on: 1), .connect(2)])
        bench.pool.closed(2, at: bench.now, jitter: 0.5)
        #expect(bench.decisions().isEmpty)
        #expect(bench.enter(1).count == 1)
        #expect(bench.decisions().isEmpty)
        bench.pool.finished(tickets[0], wasAnswered: true, at: bench.now)
        #expect(bench.decisions() == [.start(tickets[1], on: 1), .connect(3)])
    }

    @Test func `connecting has a deadline`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1)
        _ = bench.decisions()
        #expect(bench.pool.nextDeadline == bench.now + .seconds(10))
        bench.pass(.seconds(10))
        #expect(bench.decisions() == [.close(1, .connectTimeout), .fail(0, .unreachable, on: nil)])
        bench.pool.connected(1, at: bench.now)
        #expect(bench.enter() == .unreachable)
    }

    // MARK: PING and idleness

    @Test func `an idle connection is asked every half minute, and closed after ten`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pool.finished(0, wasAnswered: true, at: bench.now)
        for _ in 0..<19 {
            bench.pass(.seconds(30))
            #expect(bench.decisions() == [.ping(1)])
            bench.pool.heard(1, at: bench.now)
        }
        bench.pass(.seconds(30))
        #expect(bench.decisions() == [.close(1, .idle)])
        #expect(bench.pool.isForgettable(at: bench.now))
        #expect(bench.enter(1).count == 1)
        #expect(bench.decisions() == [.connect(2)])
    }

    @Test func `a request that waits in silence has the connection asked, and an unanswered PING ends it`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pass(.milliseconds(4_999))
        #expect(bench.decisions().isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.decisions() == [.ping(1)])
        bench.pass(.milliseconds(9_999))
        #expect(bench.decisions().isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.decisions() == [.close(1, .dead), .fail(0, .connectionLost, on: nil)])
        #expect(bench.enter(1).count == 1)
        #expect(bench.decisions() == [.connect(2)])
    }

    @Test func `any bytes are a sign of life`() {
        var bench = HTTP2PoolBench()
        _ = bench.enter(1)
        _ = bench.decisions()
        bench.connect(1)
        _ = bench.decisions()
        bench.pass(.seconds(5))
        #expect(bench.decisions() == [.ping(1)])
        bench.pass(.seconds(9))
        bench.pool.heard(1, at: bench.now)
        bench.pass(.seconds(4))
        #expect(bench.decisions().isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.decisions() == [.ping(1)])
    }
}
