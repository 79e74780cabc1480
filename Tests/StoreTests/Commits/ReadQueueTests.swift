import Inbox
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

struct ReadQueueTests {
    /// Which reads were performed, in order.
    private final class Performed: Sendable {
        private let names = Mutex<[Int]>([])

        func read(_ name: Int) -> ReadQueue.Read {
            ReadQueue.Read { [self] _ in names.withLock { $0.append(name) } }
        }

        func perform(_ reads: [ReadQueue.Read]) -> [Int] {
            names.withLock { $0 = [] }
            for read in reads { read.perform(.failure(StoreError.closed)) }
            return names.withLock { $0 }
        }
    }

    @Test func `as many readers are asked for as there may be, and one again once one is free`() {
        let (queue, performed) = (ReadQueue(readers: 2), Performed())
        #expect(queue.add(performed.read(1)))
        #expect(queue.add(performed.read(2)))
        #expect(!queue.add(performed.read(3)))
        #expect(performed.perform(queue.take()) == [1, 2, 3])
        #expect(queue.take().isEmpty)
        #expect(queue.add(performed.read(4)))
        #expect(!queue.add(performed.read(5)))
        #expect(performed.perform(queue.take()) == [4, 5])
    }

    @Test func `a reader takes those that came first, and no more than may share a snapshot`() {
        let (queue, performed) = (ReadQueue(readers: 1, readsPerSnapshot: 2), Performed())
        #expect([1, 2, 3, 4, 5].map { queue.add(performed.read($0)) } == [true, false, false, false, false])
        #expect(performed.perform(queue.take()) == [1, 2])
        #expect(performed.perform(queue.take()) == [3, 4])
        #expect(performed.perform(queue.take()) == [5])
        #expect(queue.take().isEmpty)
    }

    @Test func `many clients that come back at once each see all that was committed before they asked`() async throws {
        try await withStore { fixture in
            for user in 0..<20 { try await fixture.say("one", to: .user("user-\(user)")) }
            let states = try await withThrowingTaskGroup(of: InboxState.self) { group in
                for number in 0..<400 {
                    group.addTask { try await fixture.store.state(of: .user("user-\(number % 20)")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(states.count == 400)
            #expect(states.allSatisfy { $0.seq == 1 && $0.unread == 1 })
        }
    }
}
