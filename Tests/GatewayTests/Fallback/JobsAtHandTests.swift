import Inbox
import Push
import Testing

@testable import Gateway

@Suite struct JobsAtHandTests {
    private func jobs(_ ids: ClosedRange<Int64>) throws -> [PushJob] {
        let user = try #require(UserID(rawValue: "ada"))
        return ids.map { id in
            PushJob(
                PushJob.Part(id: id, notification: nil),
                to: PushTarget(
                    user: user, device: Device(id: "phone", provider: .apns, token: "t", registeredAt: .noon)),
                message: PushMessage(
                    content: nil, badge: 1, notification: nil, collapseID: "c", position: .init(epoch: "e", seq: 1),
                    expiry: .noon), attempt: PushAttempt(expiry: .noon))
        }
    }

    private func ids(_ jobs: [PushJob]) -> [Int64] { jobs.flatMap(\.parts).map(\.id) }

    @Test func `jobs leave in the order in which they came, however they came`() throws {
        var atHand = JobsAtHand()
        #expect(atHand.popFirst() == nil)
        atHand.append(try jobs(1...3))
        atHand.append([])
        atHand.append(try jobs(4...4))
        #expect(ids(atHand.take(2)) == [1, 2])
        atHand.append(try jobs(5...9))
        #expect(ids([atHand.popFirst(), atHand.popFirst()].compactMap(\.self)) == [3, 4])
        #expect(ids(atHand.take(100)) == [5, 6, 7, 8, 9])
        #expect(atHand.popFirst() == nil)
        atHand.append(try jobs(10...11))
        atHand.removeAll()
        #expect(atHand.take(1).isEmpty)
    }
}
