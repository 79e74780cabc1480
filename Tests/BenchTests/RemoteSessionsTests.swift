import Testing

@testable import Bench

struct RemoteSessionsTests {
    @Test func `the sessions of a worker that has ended have failed, and what they counted stays`() {
        var counts = SessionCounts()
        (counts.ready, counts.underway, counts.failures) = (7, 1, ["refused": 2])
        counts.frames[0] = 70
        let lost = RemoteSessions.lost(counts, of: 10)
        #expect((lost.ready, lost.underway, lost.failed) == (0, 0, 10))
        #expect(lost.failures["a worker process has ended by itself"] == 8)
        #expect(lost.frames[0] == 70)
    }
}
