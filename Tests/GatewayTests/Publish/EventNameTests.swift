import Inbox
import Testing

@testable import Gateway

struct EventNameTests {
    @Test("a later event has the greater name, octet by octet")
    func order() {
        let times: [Int64] = [0, 1, 31, 32, 1_023, 1_024, 1_751_641_364_161, 1_751_641_364_162, 1 << 41]
        let names = times.map { EventName.make(at: Timestamp(milliseconds: $0)) }
        #expect(names == names.sorted())
        #expect(Set(names.map(\.utf8.count)) == [34])
    }
}
