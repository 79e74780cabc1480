import Store
import Testing

@testable import Gateway

struct OutboxMachineTests {
    private var machine = OutboxMachine(interval: .milliseconds(100))

    private func row(_ id: Int64, tries: Int = 0) -> OutboxRow { OutboxRow(id: id, event: [], tries: tries) }

    private func stored(_ ids: Int64...) -> OutboxSettlement {
        var settlement = OutboxSettlement()
        settlement.stored = ids
        return settlement
    }

    private func refused(_ id: Int64) -> OutboxSettlement {
        var settlement = OutboxSettlement()
        settlement.refused = [.init(row: id, reason: "unknown_type")]
        return settlement
    }

    private func delayed(_ id: Int64, _ rest: Duration) -> OutboxSettlement {
        var settlement = OutboxSettlement()
        settlement.delayed = [.init(row: id, rest: rest)]
        return settlement
    }

    @Test mutating func `a node that is not on duty reads nothing`() {
        #expect(machine.wake(isOnDuty: false) == .wait(.seconds(1)))
        guard case .read = machine.wake(isOnDuty: true) else { return #expect(Bool(false)) }
    }

    @Test
    mutating func `an empty outbox is looked at again after the interval, and a slow database has time for itself`() {
        #expect(machine.read([], in: .milliseconds(2)) == .wait(.milliseconds(100)))
        #expect(machine.read([], in: .milliseconds(200)) == .wait(.milliseconds(800)))
    }

    @Test mutating func `rows are published in order, go once they are stored, and then more are read at once`() {
        let rows = [row(3), row(4), row(9)]
        #expect(machine.read(rows, in: .zero) == .publish(rows))
        #expect(machine.answered(.told(stored(3, 4, 9)), in: .zero) == .settle(stored(3, 4, 9)))
        #expect(machine.settled(true) == .wait(.zero))
    }

    @Test mutating func `those that were not told of are published next`() {
        _ = machine.read([row(1), row(2), row(3)], in: .zero)
        #expect(machine.answered(.told(stored(1)), in: .zero) == .settle(stored(1)))
        #expect(machine.settled(true) == .publish([row(2), row(3)]))
    }

    @Test mutating func `a refused row is noted and blocks none`() {
        _ = machine.read([row(1), row(2), row(3)], in: .zero)
        #expect(machine.answered(.told(refused(2)), in: .zero) == .settle(refused(2)))
        #expect(machine.settled(true) == .publish([row(1), row(3)]))
        #expect(machine.answered(.told(stored(1, 3)), in: .zero) == .settle(stored(1, 3)))
        #expect(machine.settled(true) == .wait(.zero))
    }

    @Test mutating func `after a failure of the store rows are tried one by one, and one that fails alone waits`() {
        _ = machine.read([row(1), row(2, tries: 3), row(3)], in: .zero)
        #expect(machine.answered(.failed, in: .zero) == .publish([row(1)]))
        _ = machine.answered(.told(stored(1)), in: .zero)
        #expect(machine.settled(true) == .publish([row(2, tries: 3), row(3)]))
        #expect(machine.answered(.failed, in: .zero) == .publish([row(2, tries: 3)]))
        #expect(machine.answered(.failed, in: .zero) == .settle(delayed(2, .seconds(8))))
        #expect(machine.settled(true) == .publish([row(3)]))
        _ = machine.answered(.told(stored(3)), in: .zero)
        #expect(machine.settled(true) == .wait(.zero))
        // The next ones go together again.
        #expect(machine.read([row(5), row(6)], in: .zero) == .publish([row(5), row(6)]))
    }

    /// Publishes rows, each time in the time that is given.
    /// - Returns: how many rows each publish had.
    private mutating func sizes(of rows: [OutboxRow], in times: Duration...) -> [Int] {
        var sizes: [Int] = []
        var step = machine.read(rows, in: .zero)
        for time in times {
            guard case .publish(let published) = step else { break }
            sizes.append(published.count)
            var settlement = OutboxSettlement()
            settlement.stored = published.map(\.id)
            _ = machine.answered(.told(settlement), in: time)
            step = machine.settled(true)
        }
        return sizes
    }

    @Test mutating func `more and more rows go together, and fewer after a publish that took long`() {
        let (fast, slow) = (Duration.milliseconds(250), Duration.milliseconds(251))
        let sizes = sizes(of: (1...500).map { row($0) }, in: fast, fast, fast, fast, slow, slow, fast, slow, slow)
        #expect(sizes == [10, 20, 40, 80, 100, 50, 25, 50, 25])
        #expect(
            self.sizes(of: (1...99).map { row($0) }, in: slow, slow, slow, slow, slow, fast, fast) == [
                12, 6, 3, 1, 1, 1, 2,
            ])
    }

    @Test
    mutating func `fewer rows go together after each time that nothing was taken in, as they may be too much work`() {
        for size in [10, 5, 2, 1, 1] {
            let rows = (1...50).map { row($0) }
            #expect(machine.read(rows, in: .zero) == .publish(Array(rows.prefix(size))))
            _ = machine.answered(.unavailable, in: .zero)
        }
    }

    @Test mutating func `a row's rests grow, up to five minutes`() {
        for (tries, rest) in [(0, 1), (1, 2), (8, 256), (9, 300), (60, 300)] {
            let failing = row(1, tries: tries)
            _ = machine.read([failing], in: .zero)
            #expect(machine.answered(.failed, in: .zero) == .settle(delayed(1, .seconds(rest))))
        }
    }

    @Test
    mutating func `while nothing is taken in, rows stay, and rests grow up to five seconds until something is stored`()
    {
        var rests: [Duration] = []
        for _ in 0..<8 {
            _ = machine.read([row(1), row(2)], in: .zero)
            guard case .wait(let rest) = machine.answered(.unavailable, in: .zero) else { return #expect(Bool(false)) }
            rests.append(rest)
        }
        #expect(rests == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
        #expect(machine.read(nil, in: .zero) == .wait(.seconds(5)))
        #expect(machine.read([row(1)], in: .zero) == .publish([row(1)]))
        _ = machine.answered(.told(stored(1)), in: .zero)
        #expect(machine.settled(true) == .wait(.zero))
        #expect(machine.read(nil, in: .zero) == .wait(.milliseconds(100)))
    }

    @Test mutating func `rows that could not be removed are read and published again`() {
        _ = machine.read([row(1), row(2)], in: .zero)
        _ = machine.answered(.told(stored(1)), in: .zero)
        #expect(machine.settled(false) == .wait(.milliseconds(100)))
        #expect(machine.read([row(1), row(2)], in: .zero) == .publish([row(1), row(2)]))
    }

    @Test mutating func `a publisher without room rests for as long as it is told`() {
        _ = machine.read([row(1)], in: .zero)
        #expect(machine.answered(.full(.milliseconds(200)), in: .zero) == .wait(.milliseconds(200)))
    }
}
