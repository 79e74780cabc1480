import Dispatch
import Testing

@testable import Storage

@Suite struct CommitGatheringTests {
    private func after(_ publications: Int, in duration: Duration = .milliseconds(1)) -> CommitGathering {
        var gathering = CommitGathering()
        gathering.committed(publications, in: duration)
        return gathering
    }

    @Test func `two halves that take turns become one commit`() {
        #expect(after(3).expected(waiting: 5) == 8)
        #expect(after(8).expected(waiting: 0) == 8)
        #expect(after(8).expected(waiting: 7) == 15)
    }

    @Test func `a single publisher waits for nobody, nor does the first commit`() {
        #expect(after(1).expected(waiting: 0) == nil)
        #expect(after(0).expected(waiting: 5) == nil)
        #expect(CommitGathering().expected(waiting: 3) == nil)
    }

    @Test func `many are enough`() {
        #expect(after(60).expected(waiting: 30) == 64)
        #expect(after(10).expected(waiting: 64) == nil)
    }

    @Test func `the pause is short beside the commit`() {
        #expect(after(2, in: .microseconds(300)).window == .microseconds(150))
        #expect(after(2, in: .seconds(1)).window == .milliseconds(1))
    }
}

@Suite struct WriteQueueTests {
    private let queue = WriteQueue(limit: 1_000)

    private func write(isPublication: Bool = true) -> Write {
        Write(
            isPublication: isPublication, completion: { (_: Result<Void, StoreError>) in },
            perform: { _ in .success(()) })
    }

    /// Long enough that only an arrival can end the wait within the test's patience.
    private var gathering: CommitGathering {
        var gathering = CommitGathering()
        gathering.committed(2, in: .seconds(1))
        return gathering
    }

    @Test func `what waits is taken at once by who expects nobody`() {
        #expect(queue.add(write()) == .start)
        #expect(queue.add(write()) == .waits)
        #expect(queue.takeAll(patience: .seconds(60), gathering: CommitGathering()).count == 2)
    }

    @Test func `a pause ends, and takes what has come`() {
        #expect(queue.add(write()) == .start)
        #expect(queue.takeAll(patience: .seconds(60), gathering: gathering).count == 1)
    }

    @Test func `nobody is waited for at the expense of what is no publication`() {
        #expect(queue.add(write(isPublication: false)) == .start)
        var gathering = CommitGathering()
        gathering.committed(50, in: .seconds(1))
        #expect(queue.takeAll(patience: .seconds(60), gathering: gathering).count == 1)
    }

    @Test func `who sleeps is woken by what comes, and by the end`() async {
        for closes in [false, true] {
            let taken: Int = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [queue] in
                    continuation.resume(returning: queue.takeAll(patience: .seconds(60), gathering: .init()).count)
                }
                DispatchQueue.global().async { [self] in
                    if closes { queue.close() } else { _ = queue.add(write()) }
                }
            }
            #expect(taken == (closes ? 0 : 1))
        }
    }

    @Test func `the draining ends when nothing comes in time, and the next write begins it again`() {
        #expect(queue.add(write()) == .start)
        #expect(queue.takeAll(patience: .zero, gathering: .init()).count == 1)
        #expect(queue.takeAll(patience: .zero, gathering: .init()).isEmpty)
        #expect(queue.add(write()) == .start)
    }

    @Test func `of many that come and go, none is left and none is taken twice`() async {
        let count = 20_000
        let taken: Int = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [queue] in
                var gathering = CommitGathering()
                var taken = 0
                while taken < count {
                    let writes = queue.takeAll(patience: .milliseconds(1), gathering: gathering)
                    taken += writes.count
                    queue.begin(rows: writes.count)
                    gathering.committed(writes.count, in: .microseconds(50))
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
