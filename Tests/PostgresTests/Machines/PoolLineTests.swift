import Testing

@testable import Postgres

@Suite struct PoolLineTests {
    private let start = ContinuousClock.now

    @Test func `jobs leave in order, and one beyond the limit is refused`() {
        var line = PoolLine<Int>(limit: 2, patience: .seconds(5))
        #expect(line.enter(1, at: start) == .waits)
        #expect(line.enter(2, at: start) == .waits)
        #expect(line.enter(3, at: start) == .full)
        #expect([line.next(for: 0), line.next(for: 0), line.next(for: 0)] == [1, 2, nil])
    }

    @Test func `an idle reader is woken once, and its job takes nobody's place`() {
        var line = PoolLine<Int>(limit: 1, patience: .seconds(5))
        #expect(line.next(for: 7) == nil)
        #expect(line.enter(1, at: start) == .wake(7))
        #expect(line.enter(2, at: start) == .waits)
        #expect(line.enter(3, at: start) == .full)
        line.wakes()
        #expect(line.next(for: 7) == 1)
        #expect(line.enter(4, at: start) == .full)
        #expect(line.next(for: 7) == 2)
    }

    @Test func `a job that waited too long is removed`() {
        var line = PoolLine<Int>(limit: 5, patience: .seconds(5))
        _ = line.enter(1, at: start)
        _ = line.enter(2, at: start + .seconds(1))
        #expect(line.deadline == start + .seconds(5))
        #expect(line.expire(at: start + .seconds(4)) == [])
        #expect(line.expire(at: start + .seconds(5)) == [1])
        #expect(line.deadline == start + .seconds(6))
        #expect(line.removeAll() == [2])
        #expect(line.deadline == nil)
    }
}
