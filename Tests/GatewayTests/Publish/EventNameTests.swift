import Inbox
import Testing

@testable import Gateway

struct EventNameTests {
    @Test("a later event has the greater name, octet by octet")
    func order() {
        let times: [Int64] = [0, 1, 31, 32, 1_023, 1_024, 1_751_641_364_161, 1_751_641_364_162, 1 << 41]
        let names = times.map { EventName.make(at: Timestamp(milliseconds: $0), chance: (.max, 0)) }
        #expect(names == names.sorted())
        #expect(Set(names.map(\.utf8.count)) == [34])
    }

    @Test("all hundred bits of chance are in the name")
    func chance() {
        let words = (0..<50).map { UInt64(1) << UInt64($0) }
        let now = Timestamp(milliseconds: 1_751_641_364_161)
        let names = words.flatMap {
            [EventName.make(at: now, chance: ($0, 0)), EventName.make(at: now, chance: (0, $0))]
        }
        #expect(Set(names).count == 100)
    }

    @Test("events of one moment have different names, from whichever thread they come")
    func names() async {
        let names = EventNames()
        let all = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<500).map { _ in names.next(at: Timestamp(milliseconds: 1)) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 4_000)
    }
}
