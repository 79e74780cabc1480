import Inbox
import Testing

@testable import Storage

@Suite struct AcknowledgementsTests {
    private let waiting = Acknowledgements()

    private func add(_ seq: Int64, of user: UserID) -> Bool {
        waiting.add(Acknowledgements.One(seq: seq, time: .at(seq)), of: user)
    }

    private func batch(_ limit: Int = 100) -> Acknowledgements.Batch {
        Acknowledgements.Batch(of: waiting, limit: limit)
    }

    @Test func `only the first that waits calls the writer, and the newest of each user counts`() {
        #expect(add(2, of: .ada))
        #expect(!add(5, of: .ada))
        #expect(!add(3, of: .ada))
        #expect(!add(1, of: .bob))
        #expect(batch().take().mapValues(\.seq) == [.ada: 5, .bob: 1])
    }

    @Test func `whoever comes after the writer took them calls it again`() {
        #expect(add(2, of: .ada))
        _ = batch().take()
        #expect(add(3, of: .ada))
        #expect(batch().take().mapValues(\.seq) == [.ada: 3])
        #expect(batch().take().isEmpty)
    }

    @Test func `a write that comes anew after its transaction was undone still has them`() {
        let batch = batch()
        #expect(add(2, of: .ada))
        #expect(batch.take().mapValues(\.seq) == [.ada: 2])
        #expect(add(9, of: .ada))
        #expect(batch.take().mapValues(\.seq) == [.ada: 2])
        #expect(self.batch().take().mapValues(\.seq) == [.ada: 9])
    }

    @Test func `what one write cannot take is another's`() {
        for number in 0..<5 { _ = add(1, of: .user("user-\(number)")) }
        let first = batch(3)
        #expect(first.take().count == 3)
        #expect(first.leftSome)
        #expect(!add(1, of: .ada))
        let second = batch(3)
        #expect(second.take().count == 3)
        #expect(!second.leftSome)
        #expect(add(2, of: .ada))
    }

    @Test func `those that the writer does not take are given up, and the next one calls it again`() {
        #expect(add(1, of: .ada))
        waiting.removeAll()
        #expect(add(2, of: .ada))
    }
}
