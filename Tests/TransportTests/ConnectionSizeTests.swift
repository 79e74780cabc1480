import Support
import Testing

@testable import Transport

@Suite struct ConnectionSizeTests {
    @Test func `a connection takes at most 96 bytes of the heap`() {
        // Without malloc's own eight.
        #expect(HeapSize.bytes(of: Connection.self) <= 88)
    }

    @Test func `a thousand timers leave nothing behind`() {
        var wheel = TimingWheel<Int>()
        let timers = (0..<1_000).map { wheel.schedule($0, at: Int64($0 + 1)) }
        #expect(wheel.allocatedNodes >= 1_000)
        for timer in timers[500...] { wheel.cancel(timer) }
        #expect(wheel.advance(to: 1_000).count == 500)
        #expect(wheel.allocatedNodes == 0)
        // Timers from before are stale in the new nodes, too.
        let next = wheel.schedule(7, at: 1_001)
        for timer in timers { wheel.cancel(timer) }
        #expect(wheel.tick(of: next) == 1_001)
        #expect(wheel.advance(to: 1_001) == [7])
    }
}
