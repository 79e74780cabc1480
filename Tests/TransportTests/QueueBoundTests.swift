import Dispatch
import Testing

@testable import Transport

@Suite struct QueueBoundTests {
    @Test(arguments: PollerKind.allCases)
    func `a value that is bound to a shard is reached in order, also while the shard is at work`(poller: PollerKind)
        async throws
    {
        let shard = try Shard(index: 0, poller: poller)
        let numbers = QueueBound([Int](), on: .shard(shard))
        let last = await withCheckedContinuation { continuation in
            numbers.post { $0.append(1) }
            shard.post { _ in
                // From the shard itself: it comes after this letter, and before the shard sleeps.
                numbers.post { $0.append(3) }
                numbers.post { continuation.resume(returning: $0) }
                numbers.withState { $0.append(2) }
            }
        }
        #expect(last == [1, 2, 3])
        await withCheckedContinuation { stopped in shard.stop { stopped.resume() } }
    }

    @Test func `a letter to a shard that was stopped never runs`() async throws {
        let shard = try Shard(index: 0, poller: .epoll)
        let bound = QueueBound(0, on: .shard(shard))
        await withCheckedContinuation { stopped in shard.stop { stopped.resume() } }
        bound.post { _ in Issue.record("ran") }
        // Behind what the shard's queue had to do.
        await withCheckedContinuation { done in shard.queue.async { done.resume() } }
    }

    @Test func `a value that is bound to a queue is reached there`() async {
        let bound = QueueBound("a", on: .dispatch(DispatchQueue(label: "test")))
        let text = await withCheckedContinuation { continuation in
            bound.post { text in text += "b" }
            bound.post { continuation.resume(returning: $0) }
        }
        #expect(text == "ab")
    }
}
