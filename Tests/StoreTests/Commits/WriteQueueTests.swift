import Deliveries
import Dispatch
import Testing

@testable import SQLiteStore
@testable import Store

@Suite struct WriteQueueTests {
    private let queue = WriteQueue(limit: 1_000)

    private func write(rows: Int = 1, isRehearsal: Bool = false) -> any Write {
        ClosureWrite(
            rows: rows, isRehearsal: isRehearsal, completion: { (_: Result<Void, StoreError>) in },
            perform: { _ in .success(()) })
    }

    @Test func `all waiting writes are taken at once`() {
        #expect(queue.add(write()) == .start)
        #expect(queue.add(write()) == .waits)
        #expect(queue.takeAll(patience: .seconds(60)).count == 2)
    }

    @Test func `more is taken as far as there is room, in its order, and nothing that must be alone`() {
        for write in [write(rows: 2), write(rows: 3), write(), write(isRehearsal: true), write()] {
            _ = queue.add(write)
        }
        #expect(queue.takeMore(rows: 4).map(\.rows) == [2])
        #expect(queue.waitingRows == 6)
        #expect(queue.takeMore(rows: 100).map(\.rows) == [3, 1])
        #expect(queue.takeMore(rows: 100).isEmpty)
        #expect(queue.waitingRows == 2)
        #expect(queue.takeAll(patience: .seconds(60)).map(\.isRehearsal) == [true, false])
    }

    @Test func `a sleeper is woken by a write, and by the end`() async {
        for closes in [false, true] {
            let taken: Int = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [queue] in
                    continuation.resume(returning: queue.takeAll(patience: .seconds(60)).count)
                }
                DispatchQueue.global().async { [self] in
                    if closes { queue.close() } else { _ = queue.add(write()) }
                }
            }
            #expect(taken == (closes ? 0 : 1))
        }
    }

    @Test func `a waiter that only looks is woken, too, takes nothing, and does not end the draining`() async {
        #expect(queue.add(write()) == .start)
        #expect(queue.awaitsWrite(within: .seconds(60)))
        #expect(queue.takeAll(patience: .seconds(60)).count == 1)
        #expect(!queue.awaitsWrite(within: .nanoseconds(0)))
        #expect(queue.add(write()) == .waits)
        _ = queue.takeAll(patience: .seconds(60))
        let isThere: Bool = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [queue] in
                continuation.resume(returning: queue.awaitsWrite(within: .seconds(60)))
            }
            DispatchQueue.global().async { [self] in _ = queue.add(write()) }
        }
        #expect(isThere)
        queue.close()
        #expect(queue.awaitsWrite(within: .seconds(60)))
        #expect(queue.takeAll(patience: .seconds(60)).count == 1)
        #expect(!queue.awaitsWrite(within: .seconds(60)))
    }

    @Test(.mayNotHang) func `a waiter for so many rows is woken by them, by the end, or when the time is over`() async {
        #expect(queue.add(write()) == .start)
        queue.awaitRows(3, within: .nanoseconds(0))
        for closes in [false, true] {
            let rows: Int = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [queue] in
                    queue.awaitRows(closes ? 100 : 3, within: .seconds(86_400))
                    continuation.resume(returning: queue.waitingRows)
                }
                DispatchQueue.global().async { [self] in
                    if closes { return queue.close() }
                    for _ in 0..<2 { _ = queue.add(write()) }
                }
            }
            #expect(rows == 3)
        }
        queue.awaitRows(100, within: .seconds(86_400))
        #expect(queue.takeAll(patience: .seconds(60)).count == 3)
    }

    @Test func `the draining ends when nothing comes in time, and the next write begins it again`() {
        #expect(queue.add(write()) == .start)
        #expect(queue.takeAll(patience: .nanoseconds(0)).count == 1)
        #expect(queue.takeAll(patience: .nanoseconds(0)).isEmpty)
        #expect(queue.add(write()) == .start)
    }

    @Test func `of many that come and go, none is left and none is taken twice`() async {
        let count = 20_000
        let taken: Int = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [queue] in
                var taken = 0
                while taken < count {
                    let writes = queue.takeAll(patience: .milliseconds(1))
                    taken += writes.count
                    queue.begin(rows: writes.count)
                }
                continuation.resume(returning: taken)
            }
            for _ in 0..<4 {
                DispatchQueue.global().async { [self] in
                    for _ in 0..<(count / 4) {
                        let write = write()
                        while queue.add(write) == .overloaded {}
                    }
                }
            }
        }
        #expect(taken == count)
    }
}
