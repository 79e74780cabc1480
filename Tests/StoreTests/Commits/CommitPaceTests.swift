import Testing

@testable import SQLiteStore
@testable import Store

@Suite struct CommitPaceTests {
    private let start = ContinuousClock.now

    @Test func `the first commit waits for nothing, the next ones until their time has come`() {
        var pace = CommitPace(interval: .milliseconds(4))
        #expect(pace.rest(at: start) == nil)
        pace.begins(at: start)
        #expect(pace.rest(at: start) == .milliseconds(4))
        #expect(pace.rest(at: start + .milliseconds(3)) == .milliseconds(1))
        #expect(pace.rest(at: start + .milliseconds(4)) == nil)
        pace.begins(at: start + .milliseconds(9))
        #expect(pace.rest(at: start + .milliseconds(10)) == .milliseconds(3))
    }

    @Test func `without an interval none waits`() {
        var pace = CommitPace(interval: .zero)
        #expect(!pace.isLimited)
        pace.begins(at: start)
        #expect(pace.rest(at: start) == nil)
    }
}
