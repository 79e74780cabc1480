import Inbox
import Store
import Testing

@testable import Gateway

struct QuestionTimesTests {
    private static func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    /// Past its first look, which has found this.
    private func times(nextDue: Timestamp? = nil) -> QuestionTimes {
        var times = QuestionTimes(at: Self.at(0))
        #expect(times.next(at: Self.at(0)) == .settle)
        times.settled(.success(SettledQuestions(nextDue: nextDue)), at: Self.at(0))
        return times
    }

    @Test func `it settles at the start, and has nothing to do without questions`() {
        var times = times()
        #expect(times.next(at: Self.at(0)) == .rest)
        #expect(times.next(at: Self.at(1_000_000)) == .rest)
    }

    @Test func `it wakes when the next question ends, also one that a commit has brought`() {
        var times = times(nextDue: Self.at(20))
        #expect(times.next(at: Self.at(1)) == .wait(until: Self.at(20)))
        times.expect(Self.at(10))
        #expect(times.next(at: Self.at(1)) == .wait(until: Self.at(10)))
        times.expect(Self.at(15))
        #expect(times.next(at: Self.at(9)) == .wait(until: Self.at(10)))
        #expect(times.next(at: Self.at(10)) == .settle)
        #expect(times.next(at: Self.at(10)) == .rest)
        times.settled(.success(SettledQuestions(count: 1, nextDue: Self.at(15))), at: Self.at(10))
        #expect(times.next(at: Self.at(10)) == .wait(until: Self.at(15)))
    }

    @Test func `it sleeps for half a minute at most, as the wall clock may be set`() {
        var times = times(nextDue: Self.at(1_000))
        #expect(times.next(at: Self.at(1)) == .wait(until: Self.at(31)))
        #expect(times.next(at: Self.at(2_000)) == .settle)
    }

    @Test func `a question that is told while the store settles is not forgotten`() {
        var times = QuestionTimes(at: Self.at(0))
        _ = times.next(at: Self.at(0))
        times.expect(Self.at(5))
        times.settled(.success(SettledQuestions(nextDue: Self.at(60))), at: Self.at(0))
        #expect(times.next(at: Self.at(0)) == .wait(until: Self.at(5)))
    }

    @Test func `a failure of the store is followed by another try`() {
        var times = QuestionTimes(at: Self.at(0))
        _ = times.next(at: Self.at(0))
        times.settled(.failure(.overloaded), at: Self.at(0))
        #expect(times.next(at: Self.at(0)) == .wait(until: Self.at(1)))
        #expect(times.next(at: Self.at(1)) == .settle)
    }

    @Test func `on duty it looks every ten seconds for what nodes that are gone have left`() {
        var times = times()
        times.onDuty(at: Self.at(9))
        #expect(times.next(at: Self.at(9)) == .rest)
        times.onDuty(at: Self.at(10))
        #expect(times.next(at: Self.at(10)) == .settle)
        times.settled(.success(SettledQuestions()), at: Self.at(10))
        times.onDuty(at: Self.at(19))
        #expect(times.next(at: Self.at(19)) == .rest)
        // The clock was set back.
        times.onDuty(at: Self.at(3))
        #expect(times.next(at: Self.at(3)) == .settle)
    }

    @Test func `once closed it settles nothing`() {
        var times = times(nextDue: Self.at(1))
        times.close()
        #expect(times.next(at: Self.at(9)) == .rest)
    }
}
