import Deliveries
import Inbox
import Testing

/// How long an inbox's changes are kept.
struct ChangeRowsTests {
    private final class Log: ChangeRows {
        let length: Int64
        private(set) var kept: [Int64] = []
        private(set) var removals = 0

        init(length: Int64) { self.length = length }

        func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) { kept.append(stamp.seq) }
        func remove(upTo seq: Int64, inbox: Int64) {
            kept.removeAll { $0 <= seq }
            removals += 1
        }
    }

    @Test(arguments: [1, 3, 8, 1_000] as [Int64], [1, 2] as [Int64])
    func `the last changes are always there, and old ones go many at a time`(length: Int64, inbox: Int64) throws {
        let log = Log(length: length)
        let interval = max(1, min(256, length / 4))
        for seq in 1...(3 * length) {
            log.append(.seen(upTo: seq), ChangeStamp(seq: seq, unread: 0, unseen: 0, delta: 0), inbox: inbox)
            try log.trim(inbox: inbox, head: seq)
            #expect(log.kept.last == seq)
            let count = Int64(log.kept.count)
            #expect(count >= min(seq, length) && count < length + interval)
        }
        #expect(log.removals <= Int(3 * length / interval) + 1)
    }
}
