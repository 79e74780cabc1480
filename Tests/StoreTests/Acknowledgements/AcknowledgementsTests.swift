import Inbox
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

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

    @Test func `the first acknowledgement after the writer took them calls it again`() {
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

    @Test func `a write of all that comes anew also has those that another of its transaction could not write`() {
        let (other, all) = (batch(), batch(.max))
        #expect(add(2, of: .ada))
        #expect(other.take().mapValues(\.seq) == [.ada: 2])
        #expect(add(1, of: .bob))
        #expect(all.take().mapValues(\.seq) == [.bob: 1])
        #expect(other.failed(Self.refusal, keeps: true))
        #expect(all.take().mapValues(\.seq) == [.ada: 2, .bob: 1])
        all.written()
        #expect(!waiting.isWaiting(.ada) && !waiting.isWaiting(.bob))
    }

    @Test func `acknowledgements that one write cannot take are left to another`() {
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

    // MARK: What becomes of them

    /// The answers that askers got; `nil` for a write.
    private final class Told: Sendable {
        private let errors = Mutex<[StoreError?]>([])
        var all: [StoreError?] { errors.withLock { $0 } }

        func hear(_ result: Result<Void, StoreError>) {
            errors.withLock { errors in
                switch result {
                case .success: errors.append(nil)
                case .failure(let error): errors.append(error)
                }
            }
        }
    }

    private static let refusal = StoreError.failed(code: 10, message: "disk I/O error")

    @Test func `those that the writer does not take are given up, and the next one calls it again`() {
        let told = Told()
        #expect(waiting.add(.init(seq: 1, time: .at(0)), of: .ada, told.hear))
        waiting.giveUp(.closed)
        #expect(told.all == [.closed])
        #expect(!waiting.isWaiting(.ada))
        #expect(add(2, of: .ada))
    }

    @Test func `an asker hears of the write that took the acknowledgement, once`() {
        let told = Told()
        #expect(waiting.add(.init(seq: 2, time: .at(0)), of: .ada, told.hear))
        #expect(!waiting.add(.init(seq: 1, time: .at(0)), of: .ada, told.hear))
        let batch = batch()
        _ = batch.take()
        #expect(waiting.isWaiting(.ada))
        #expect(!waiting.isWaiting(.bob))
        #expect(told.all.isEmpty)
        batch.written()
        batch.written()
        #expect(told.all == [nil, nil])
        #expect(!waiting.isWaiting(.ada))
    }

    @Test func `unwritten acknowledgements wait again, the newest of each user, and the writer is called once`() {
        let told = Told()
        _ = waiting.add(.init(seq: 2, time: .at(0)), of: .ada, told.hear)
        _ = add(7, of: .bob)
        let batch = batch()
        _ = batch.take()
        #expect(add(1, of: .bob))
        #expect(!batch.failed(Self.refusal, keeps: true))
        #expect(told.all == [Self.refusal])
        #expect(waiting.isWaiting(.ada))
        let again = self.batch()
        #expect(again.take().mapValues(\.seq) == [.ada: 2, .bob: 7])
        #expect(again.failed(Self.refusal, keeps: true))
        #expect(told.all.count == 1)
    }

    @Test func `a write that fails before it takes them is their failure, too`() {
        let told = Told()
        _ = waiting.add(.init(seq: 2, time: .at(0)), of: .ada, told.hear)
        #expect(batch().failed(Self.refusal, keeps: true))
        #expect(told.all == [Self.refusal])
        #expect(batch().take().mapValues(\.seq) == [.ada: 2])
    }

    @Test func `each of them can be tried by itself, so that one that cannot be written holds up no other`() {
        let told = Told()
        _ = waiting.add(.init(seq: 2, time: .at(0)), of: .ada, told.hear)
        _ = add(7, of: .bob)
        let batch = batch()
        _ = batch.take()
        let parts = batch.divided()
        #expect(parts.map { $0.take().count } == [1, 1])
        #expect(waiting.isWaiting(.ada) && waiting.isWaiting(.bob))
        for part in parts where part.take()[.bob] != nil { part.written() }
        #expect(!waiting.isWaiting(.bob))
        for part in parts where part.take()[.ada] != nil {
            #expect(part.divided().isEmpty)
            #expect(!part.failed(Self.refusal, keeps: false))
        }
        #expect(told.all == [Self.refusal])
        #expect(!waiting.isWaiting(.ada))
    }
}
