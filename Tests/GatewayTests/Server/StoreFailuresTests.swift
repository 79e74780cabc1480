import Inbox
import Logging
import Store
import Testing
import WireProtocol

@testable import Gateway

struct StoreFailuresTests {
    private let metrics = Metrics()
    private let lines = JSONLogHandlerTests.Lines()
    private let clock = JumpingClock()
    private let failure = StoreError.failed(code: 10, message: "disk I/O error")

    @Test func `each kind is told at once, and then once a minute with its number; all are counted`() {
        withFailures { failures in
            failures.note(.diskFull)
            failures.note(.diskFull)
            failures.note(failure)
            #expect(lines.all.count == 2)
            #expect(lines.all.first?.contains("no room left on the disk") == true)
            #expect(lines.all.last?.contains("SQLite error 10, disk I/O error") == true)
            clock.jump(.seconds(60))
            failures.note(.diskFull)
            #expect(lines.all.count == 3)
            #expect(lines.all.last?.contains(#""times":"2""#) == true)
            #expect(metrics.storeFailures.count == 4)
        }
    }

    @Test(arguments: [StoreError.overloaded, .closed, .tooManyDevices, .keyReused(index: 0)])
    func `an answer is no failure`(_ error: StoreError) {
        withFailures { $0.note(error) }
        #expect(lines.all.isEmpty)
        #expect(metrics.storeFailures.count == 0)
    }

    @Test func `a full disk has a status of its own, and is worth another try`() {
        let problem = Problem(StoreError.diskFull)
        #expect((problem.status, problem.code) == (507, "disk_full"))
        #expect(problem.retryAfter != nil)
    }

    @Test func `a device that there is no room for is told so, and when to come again`() {
        let problem = Problem(StoreError.tooManyDevices)
        #expect((problem.status, problem.code) == (507, "too_many_devices"))
        #expect(problem.retryAfter == 3_600)
    }

    @Test(arguments: [
        (778, "became read-only"), (1_034, "became read-only"),
        (8, "can only be read"), (14, "cannot be opened"), (5, "another program holds the database"),
    ])
    func `a store that cannot be written is told in words to act on, until something is written`(
        _ code: Int, _ words: String
    ) {
        withFailures { failures in
            #expect(failures.outageWords == nil)
            failures.note(.failed(code: code, message: "the database's own words"))
            #expect(failures.outageWords?.contains(words) == true)
            #expect(failures.outageWords?.contains("SQLite error \(code), the database's own words") == true)
            failures.committed()
            #expect(failures.outageWords == nil)
        }
    }

    @Test(arguments: [StoreError.failed(code: 11, message: "a row cannot be read"), .overloaded, .closed, .damaged])
    func `an error that harms one row, or is an answer, is no outage`(_ error: StoreError) {
        withFailures { failures in
            failures.note(error)
            #expect(failures.outageWords == nil)
        }
    }

    private func withFailures(_ body: (StoreFailures) -> Void) {
        let lines = lines
        let logger = Logger(label: "belfry") { _ in JSONLogHandler { lines.append($0) } }
        body(StoreFailures(metrics: metrics, logger: logger, now: { [clock] in clock.now }))
    }
}
