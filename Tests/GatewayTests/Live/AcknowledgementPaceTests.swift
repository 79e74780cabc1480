import EngineClient
import Testing
import WireProtocol

/// When a client acknowledges what it shows.
struct AcknowledgementPaceTests {
    private let start = ContinuousClock.now

    @Test func `the first goes at once`() {
        var pace = AcknowledgementPace()
        let moment = pace.shown(upTo: 8, at: start)
        #expect(moment == start)
        let seq = pace.take(at: start)
        #expect(seq == 8)
    }

    @Test func `notifications that are shown until then are acknowledged together`() {
        var pace = AcknowledgementPace()
        let moments = (1...150).map { pace.shown(upTo: $0, at: start) }
        #expect(moments.compactMap(\.self).count == 1)
        let taken = [pace.take(at: start), pace.take(at: start)]
        #expect(taken == [150, nil])
    }

    @Test func `an earlier change takes nothing back`() {
        var pace = AcknowledgementPace()
        for seq in [8, 7] as [Int64] { _ = pace.shown(upTo: seq, at: start) }
        let seq = pace.take(at: start)
        #expect(seq == 8)
    }

    @Test(arguments: [
        (#"{"type":"ready"}"#, 200), (#"{"type":"ready","limits":{"frames":100,"framesWindow":10000}}"#, 200),
        (#"{"type":"ready","limits":{"frames":10,"framesWindow":10000}}"#, 2_000),
        (#"{"type":"ready","limits":{"frames":0,"framesWindow":10000}}"#, 200),
        (#"{"type":"ready","limits":{"frames":1,"framesWindow":9223372036854775807}}"#, 120_000),
    ])
    func `the next one waits, so that half of the frames are left that the server allows`(
        ready: String, milliseconds: Int
    ) throws {
        var pace = AcknowledgementPace()
        pace.begin(try ReceivedFrame(parsing: Array(ready.utf8)))
        _ = pace.shown(upTo: 1, at: start)
        _ = pace.take(at: start)
        let moment = pace.shown(upTo: 2, at: start + .milliseconds(1))
        #expect(moment == start + .milliseconds(milliseconds))
        _ = pace.take(at: start + .milliseconds(milliseconds))
        let later = start + .seconds(300)
        let next = pace.shown(upTo: 3, at: later)
        #expect(next == later)
    }
}
