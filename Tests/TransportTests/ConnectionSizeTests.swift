import Support
import Testing

@testable import Transport

@Suite struct ConnectionSizeTests {
    @Test func `a connection takes at most 96 bytes of the heap`() throws {
        let host = try TestShard(.epoll)
        let (client, descriptor) = try TestSocket.pair()
        let bytes = try host.run { on in
            let connection = try RecordingHandler.attach(descriptor, Journal(), on, react: RecordingHandler.passive)
            return HeapSize.usableBytes(of: connection)
        }
        // Without malloc's own eight.
        withExtendedLifetime(client) { #expect(bytes.map { $0 <= 88 } == true) }
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
