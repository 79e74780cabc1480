import Testing

@testable import Gateway

struct BroadcastTurnsTests {
    private let now = ContinuousClock.now

    @Test func `one page is under way at a time, and events take turns`() {
        var turns = BroadcastTurns()
        #expect(turns.next(at: now) == .rest)
        turns.add("a")
        turns.add("b")
        turns.add("a")
        #expect(turns.next(at: now) == .deliver("a"))
        turns.add("a")
        #expect(turns.next(at: now) == .rest)
        turns.delivered(isOver: false)
        #expect(turns.next(at: now) == .deliver("b"))
        turns.delivered(isOver: false)
        #expect(turns.next(at: now) == .deliver("a"))
        turns.delivered(isOver: true)
        #expect(turns.next(at: now) == .deliver("b"))
        turns.delivered(isOver: true)
        #expect(turns.next(at: now) == .rest)
    }

    @Test func `a page that fails is tried again later, and others go on meanwhile`() {
        var turns = BroadcastTurns()
        turns.add("a")
        turns.add("b")
        #expect(turns.next(at: now) == .deliver("a"))
        turns.failed(at: now)
        #expect(turns.next(at: now) == .deliver("b"))
        turns.delivered(isOver: true)
        #expect(turns.next(at: now) == .wait(until: now + .milliseconds(50)))
        #expect(turns.next(at: now + .milliseconds(50)) == .deliver("a"))
        turns.failed(at: now)
        #expect(turns.next(at: now) == .wait(until: now + .milliseconds(100)))
        for _ in 0..<20 {
            _ = turns.next(at: now + .seconds(60))
            turns.failed(at: now)
        }
        #expect(turns.next(at: now) == .wait(until: now + .seconds(30)))
        #expect(turns.next(at: now + .seconds(30)) == .deliver("a"))
        // A page that was written begins with a short delay again.
        turns.delivered(isOver: false)
        #expect(turns.next(at: now) == .deliver("a"))
        turns.failed(at: now)
        #expect(turns.next(at: now) == .wait(until: now + .milliseconds(50)))
    }
}
