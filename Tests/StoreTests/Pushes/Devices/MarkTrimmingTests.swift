import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct MarkTrimmingTests {
    @Test(arguments: [1, 2, 64, 1_000] as [Int64])
    func `every device of a regular round robin is trimmed, about once in so many pushes`(_ step: Int64) {
        let (devices, pushes) = (Int64(1_000), Int64(2_048))
        var trims = 0
        for device in 1...devices {
            let due = (1...pushes).count { MarkTrimming.isDue(device: device, newest: $0 * step) }
            #expect(due > 0)
            trims += due
        }
        let expected = Int(devices * pushes) / Int(MarkTrimming.interval)
        #expect((expected * 9 / 10...expected * 11 / 10).contains(trims))
    }

    @Test func `of two devices that take turns, neither gathers marks for ever`() async throws {
        try await withStore {
            $0.marksKept = 50
        } _: { fixture in
            let pushes = 240
            for name in ["one", "two"] { try await fixture.store.register(.phone(name, token: name), for: .ada) }
            for number in 1...pushes {
                try await fixture.publish("shouted", "\(number)", to: .ada, at: .at(0))
                let jobs = try await fixture.store.leasePushJobs(at: .at(0)).jobs
                let outcomes = jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
                try #require(outcomes.count == 2)
                try await fixture.store.settle(outcomes[0], outcomes[1], at: .at(0))
            }
            let marks = try fixture.marks()
            #expect(marks.count == 2)
            #expect(marks.values.allSatisfy { (50..<pushes).contains($0.count) })
            // Those that are left are the newest.
            #expect(marks.values.allSatisfy { $0.map(\.notification).sorted().suffix(50) == Array(191...240) })
        }
    }
}
