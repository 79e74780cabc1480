import Deliveries
import Inbox
import Store
import Support
import Testing

@testable import SQLiteStore

@Suite struct WriteTurnsTests {
    private final class Waiting: Write {
        let owner: String?
        let number: Int
        let rows: Int
        let isRehearsal: Bool

        init(_ owner: String?, _ number: Int = 0, rows: Int = 1, isRehearsal: Bool = false) {
            (self.owner, self.number, self.rows, self.isRehearsal) = (owner, number, rows, isRehearsal)
        }

        func gatherKeys(into keys: inout [EventKey]) {}
        func perform(in open: OpenTransaction) throws -> WriteReport { .other {} }
        func fail(_ reason: StoreError) {}
    }

    private func take(_ turns: inout WriteTurns, rows: Int) -> [Waiting] {
        turns.next(rows: rows).compactMap { $0 as? Waiting }
    }

    @Test func `writes of one publisher keep their order`() {
        var turns = WriteTurns()
        turns.add((0..<100).map { Waiting("a", $0) })
        #expect(!turns.isShared)
        #expect((0..<10).flatMap { _ in take(&turns, rows: 10).map(\.number) } == Array(0..<100))
        #expect(turns.isEmpty)
    }

    @Test func `a flood delays others by one commit, whoever came first`() {
        var turns = WriteTurns()
        turns.add((0..<10_000).map { Waiting("flood", $0) })
        _ = take(&turns, rows: 100)
        turns.add([Waiting("other"), Waiting(nil)])
        #expect(turns.isShared)
        let next = take(&turns, rows: 100)
        #expect(Set(next.prefix(3).map(\.owner)) == ["flood", "other", nil])
        #expect(next.count == 100 && !turns.isShared)
    }

    @Test func `rows are shared and not writes`() {
        var turns = WriteTurns()
        turns.add((0..<100).map { Waiting("long", $0, rows: 50) } + (0..<1_000).map { Waiting("short", $0) })
        let rows = take(&turns, rows: 1_000).reduce(into: [:]) { $0[$1.owner, default: 0] += $1.rows }
        #expect(rows["long"].map { 450...550 ~= $0 } == true && rows["short"].map { 450...550 ~= $0 } == true)
    }

    @Test func `who comes anew has saved no turns`() {
        var turns = WriteTurns()
        turns.add((0..<1_000).map { Waiting("a", $0) })
        _ = take(&turns, rows: 500)
        turns.add((0..<1_000).map { Waiting("b", $0) })
        #expect(take(&turns, rows: 100).count { $0.owner == "b" } == 50)
    }

    @Test func `a rehearsal is alone, and the first write comes however long it is`() {
        var turns = WriteTurns()
        turns.add([
            Waiting("a", 0, rows: 500), Waiting("a", 1), Waiting("a", 2, isRehearsal: true), Waiting("a", 3),
        ])
        let taken = (0..<4).map { _ in take(&turns, rows: 100).map(\.number) }
        #expect(taken == [[0], [1], [2], [3]])
    }

    @Test(arguments: 0..<20)
    func `every write has its turn once, in its publisher's order`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let owners: [String?] = [nil, "a", "b", "c"]
        var turns = WriteTurns()
        var (count, added): (Int, [String?: Int]) = (0, [:])
        var taken: [String?: [Int]] = [:]
        for _ in 0..<300 {
            let some = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                let owner = owners.randomElement(using: &random) ?? nil
                defer { added[owner, default: 0] += 1 }
                return Waiting(
                    owner, added[owner, default: 0], rows: .random(in: 0..<5, using: &random),
                    isRehearsal: Int.random(in: 0..<50, using: &random) == 0)
            }
            count += some.count
            turns.add(some)
            for write in take(&turns, rows: 20) { taken[write.owner, default: []].append(write.number) }
        }
        while !turns.isEmpty {
            for write in take(&turns, rows: 20) { taken[write.owner, default: []].append(write.number) }
        }
        #expect(taken.values.reduce(0) { $0 + $1.count } == count)
        for owner in owners { #expect(taken[owner, default: []] == Array(0..<added[owner, default: 0])) }
    }
}
