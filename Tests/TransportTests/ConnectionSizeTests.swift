import Glibc
import Testing

@testable import Transport

@Suite struct ConnectionSizeTests {
    @Test func `a connection takes at most 112 bytes of the heap`() throws {
        let host = try TestShard(.epoll)
        let (client, descriptor) = try TestSocket.pair()
        let bytes = try host.run { on in
            let connection = try RecordingHandler.attach(descriptor, Journal(), on, react: RecordingHandler.passive)
            return Self.usableBytes(of: connection)
        }
        // Without malloc's own eight.
        withExtendedLifetime(client) { #expect(bytes.map { $0 <= 104 } == true) }
    }

    /// What malloc gave an object, which is what the object needs and no more than 15 bytes above it.
    private static func usableBytes(of object: AnyObject) -> Int? {
        // The module map of Glibc leaves malloc.h out.
        guard let symbol = dlsym(nil, "malloc_usable_size") else { return nil }
        let usable = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)
        return usable(Unmanaged.passUnretained(object).toOpaque())
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
