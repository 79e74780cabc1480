import Inbox
import Push
import Testing

@testable import Gateway

@Suite struct JobsAtHandTests {
    private func ids(_ jobs: [PushJob]) -> [Int64] { jobs.flatMap(\.parts).map(\.id) }

    @Test func `jobs leave in the order in which they came, however they came`() throws {
        var atHand = JobsAtHand()
        #expect(atHand.popFirst() == nil)
        atHand.append(try PushJob.numbered(1...3))
        atHand.append([])
        atHand.append(try PushJob.numbered(4...4))
        #expect(ids(atHand.take(2)) == [1, 2])
        atHand.append(try PushJob.numbered(5...9))
        #expect(ids([atHand.popFirst(), atHand.popFirst()].compactMap(\.self)) == [3, 4])
        #expect(ids(atHand.take(100)) == [5, 6, 7, 8, 9])
        #expect(atHand.popFirst() == nil)
        atHand.append(try PushJob.numbered(10...11))
        atHand.removeAll()
        #expect(atHand.take(1).isEmpty)
    }
}
