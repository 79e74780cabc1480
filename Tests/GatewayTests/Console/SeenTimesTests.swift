import Inbox
import Testing

@testable import Gateway

struct SeenTimesTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func user(_ name: String) throws -> UserID { try #require(UserID(name)) }

    @Test func `the time to a look begins with the first notification that was not seen`() throws {
        var times = SeenTimes()
        times.came(to: try user("sarah"), at: start)
        times.came(to: try user("sarah"), at: start + .seconds(100))
        times.looked(try user("sarah"), at: start + .seconds(120))
        #expect((times.count, times.median) == (1, 120))
        #expect(times.buckets == [0, 0, 1, 0, 0, 0, 0])
        // Nothing is waiting now.
        times.looked(try user("sarah"), at: start + .seconds(130))
        #expect(times.count == 1)
    }

    @Test(arguments: [(0, 1), (59, 1), (60, 1), (61, 0)])
    func `a push was not needed if its person looks within a minute`(_ seconds: Int, _ expected: Int) throws {
        var times = SeenTimes()
        times.came(to: try user("sarah"), at: start)
        times.pushed(to: try user("sarah"), at: start + .seconds(4))
        times.looked(try user("sarah"), at: start + .seconds(4 + seconds))
        #expect(times.unneeded == expected)
    }

    @Test func `a look without a push says nothing about pushes`() throws {
        var times = SeenTimes()
        times.came(to: try user("sarah"), at: start)
        times.looked(try user("sarah"), at: start + .seconds(1))
        #expect(times.unneeded == 0)
    }

    @Test func `the median is of the last looks`() throws {
        var times = SeenTimes()
        for number in 0..<(2 * SeenTimes.keptCount) {
            times.came(to: try user("sarah"), at: start)
            times.looked(try user("sarah"), at: start + .seconds(number < SeenTimes.keptCount ? 5 : 7_200))
        }
        #expect((times.count, times.median) == (SeenTimes.keptCount, 7_200))
        #expect(times.buckets[0] == SeenTimes.keptCount)
        #expect(times.buckets[4] == SeenTimes.keptCount)
    }

    @Test func `with all places taken nobody else is followed, until somebody has not looked for very long`() throws {
        var times = SeenTimes()
        for number in 0..<SeenTimes.maximumPeople { times.came(to: try user("u\(number)"), at: start) }
        times.came(to: try user("late"), at: start + .seconds(1))
        times.looked(try user("late"), at: start + .seconds(2))
        #expect(times.count == 0)
        let later = start + SeenTimes.patience
        times.came(to: try user("late"), at: later)
        times.looked(try user("late"), at: later + .seconds(3))
        #expect(times.median == 3)
    }

    @Test func `nothing is left of somebody who was erased`() throws {
        var times = SeenTimes()
        times.came(to: try user("sarah"), at: start)
        times.forget(try user("sarah"))
        times.looked(try user("sarah"), at: start + .seconds(1))
        #expect(times.count == 0)
    }
}
