import Inbox
import Store
import Synchronization
import Testing

@testable import Gateway

struct NodeClockTests {
    private static let aMonth = Duration.seconds(30 * 86_400)

    /// How a process' clock stood that ran until the machine's clock was set.
    private func reading(behindBy span: Duration) throws -> ClockReading {
        let machine = MachineClock.now
        return ClockReading(
            boot: try #require(MachineClock.boot), offset: machine.wall - machine.running - span.milliseconds)
    }

    /// By how much the clock is behind the wall clock, in days.
    private func daysBehind(_ clock: NodeClock) -> Int64 {
        Int64(((WallClock.now - clock.now) / .seconds(86_400)).rounded())
    }

    @Test(arguments: [aMonth, .zero - aMonth])
    func `a clock that goes on from an earlier one shows the wall clock's time once all that waits has gone along`(
        _ span: Duration
    ) async throws {
        let clock = NodeClock()
        let during = Mutex<Int64?>(nil)
        let jump = await clock.goOn(from: try reading(behindBy: span)) { [clock] _, completion in
            let days = daysBehind(clock)
            during.withLock { $0 = days }
            completion(.success(()))
        }
        #expect(during.withLock { $0 } == span.milliseconds / 86_400_000)
        #expect(jump?.cause == .set)
        #expect(daysBehind(clock) == 0)
    }

    @Test func `a clock whose pushes could not be moved stays with them`() async throws {
        let clock = NodeClock()
        let jump = await clock.goOn(from: try reading(behindBy: Self.aMonth)) { _, completion in
            completion(.failure(.diskFull))
        }
        #expect(jump == nil)
        #expect(daysBehind(clock) == 30)
    }

    @Test(arguments: [.max, .min] as [Int64])
    func `a damaged reading moves nothing`(_ offset: Int64) async throws {
        let clock = NodeClock()
        let last = ClockReading(boot: try #require(MachineClock.boot), offset: offset)
        let told = Mutex<ClockJump?>(nil)
        let jump = await clock.goOn(from: last) { jump, completion in
            told.withLock { $0 = jump }
            completion(.success(()))
        }
        #expect(jump == nil)
        #expect(daysBehind(clock) == 0)
        // The next process finds a sound one.
        let left = try #require(told.withLock { $0 })
        #expect(left.span == .zero)
        #expect(abs((left.reading?.offset ?? 0) - (try reading(behindBy: .zero)).offset) < 60_000)
    }
}
