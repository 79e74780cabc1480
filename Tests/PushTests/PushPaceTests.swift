import Inbox
import Push
import Testing

struct PushPaceTests {
    private func at(_ second: Int64) -> Timestamp { Timestamp(milliseconds: 1_000_000 + second * 1_000) }

    /// When pushes of these seconds leave.
    private func admitted(_ seconds: [Int64], limit: Int) -> [Timestamp] {
        var pace = PushPace(start: at(seconds[0]))
        return seconds.map { pace.admit(at($0), limit: limit) }
    }

    @Test func `so many leave at once, and the others at the hour's end`() {
        #expect(admitted([0, 10, 20, 30], limit: 2) == [at(0), at(10), at(3_600), at(3_600)])
    }

    @Test func `pushes that have waited count in the hour that follows`() {
        #expect(admitted([0, 10, 3_700, 3_800], limit: 2) == [at(0), at(10), at(3_700), at(3_800)])
        #expect(admitted([0, 10, 20, 3_700, 3_800], limit: 2)[2...] == [at(3_600), at(3_700), at(7_200)])
    }

    @Test func `an hour begins with the first push after the one before`() {
        #expect(admitted([0, 5_000, 8_500, 8_700], limit: 1) == [at(0), at(5_000), at(8_600), at(12_200)])
        #expect(admitted([0, 1, 7_300], limit: 1) == [at(0), at(3_600), at(7_300)])
    }

    @Test func `when nothing waits it matters no longer than an hour, else two`() {
        var pace = PushPace(start: at(0))
        _ = pace.admit(at(0), limit: 1)
        #expect(pace.end == at(3_600))
        _ = pace.admit(at(1), limit: 1)
        #expect(pace.end == at(7_200))
    }
}
