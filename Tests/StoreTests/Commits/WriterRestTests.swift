import Inbox
import Support
import Testing

@testable import SQLiteStore
@testable import Store

struct WriterRestTests {
    private let start = ContinuousClock.now

    @Test func `pages go once nothing was written for as long as was said`() {
        var rest = WriterRest(after: .seconds(10))
        #expect(rest.paused(at: start) == .seconds(10))
        #expect(rest.look(at: start + .seconds(10)) == .rest)
        // The next write begins it anew.
        #expect(rest.paused(at: start + .seconds(60)) == .seconds(10))
    }

    @Test func `each write puts it off, and needs no timer of its own`() {
        var rest = WriterRest(after: .seconds(10))
        #expect(rest.paused(at: start) == .seconds(10))
        #expect(rest.paused(at: start + .seconds(4)) == nil)
        #expect(rest.paused(at: start + .seconds(7)) == nil)
        #expect(rest.look(at: start + .seconds(10)) == .again(after: .seconds(7)))
        #expect(rest.look(at: start + .seconds(17)) == .rest)
    }

    @Test(.mayNotHang)
    func `a store that was busy lets go of its pages, and knows everything afterwards`() async throws {
        let released = AsyncStream.makeStream(of: Void.self)
        let fixture = try StoreFixture {
            $0.restDelay = .milliseconds(1)
            $0.pageBytesAtRest = 0
            $0.onRelease = { released.continuation.yield() }
        }
        try await fixture.say("before", to: .ada)
        var releases = released.stream.makeAsyncIterator()
        await releases.next()
        _ = try await fixture.store.state(of: .bob)
        await releases.next()
        #expect(try await fixture.texts(of: .ada) == ["before"])
        try await fixture.say("after", to: .ada)
        #expect(try await fixture.store.state(of: .ada).unread == 2)
        await fixture.remove()
    }
}
