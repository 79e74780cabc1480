import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

/// The dialogue between those who ask and the count.
struct StatisticsRoundsTests {
    private let start = ContinuousClock.now
    private let ignored: StatisticsRounds.Completion = { _ in }

    /// Counts are told by the second in which they began.
    private enum Action: Equatable {
        case answer(Int?)
        case answerAndCount(Int?)
        case wait, count
        case goOn(after: Duration)
        case goOnAndAnswer(after: Duration, Int?, people: Int)
        case finish(Int, people: Int)
        case giveUp(people: Int)
    }

    private func second(_ counts: StoreCounts) -> Int { Int((counts.began - .at(0)) / .seconds(1)) }

    private func ask(_ rounds: inout StatisticsRounds, at seconds: Int) -> Action {
        switch rounds.asked(at: start + .seconds(seconds), ignored) {
        case .answer(let counts): .answer(counts.map(second))
        case .answerAndCount(let counts): .answerAndCount(counts.map(second))
        case .wait: .wait
        case .count: .count
        }
    }

    /// A step, a tenth of a second long by default, of a count that began at some second.
    private func step(
        _ rounds: inout StatisticsRounds, of began: Int, isOver: Bool = false, cost: Duration = .milliseconds(100),
        at seconds: Int
    ) throws -> Action {
        var walk = StatisticsWalk(at: .at(Int64(began)))
        if isOver { try Self.emptyStore().read { try walk.step($0, rows: 10) } }
        switch rounds.stepped(walk, cost: cost, at: start + .seconds(seconds)) {
        case .goOn(let rest): return .goOn(after: rest)
        case .goOnAndAnswer(let rest, let counts, let answered):
            return .goOnAndAnswer(after: rest, counts.map(second), people: answered.count)
        case .finish(let counts, let answered): return .finish(second(counts), people: answered.count)
        }
    }

    private func fail(_ rounds: inout StatisticsRounds, _ error: StoreError) -> Action {
        switch rounds.failed(error) {
        case .goOn(let rest): .goOn(after: rest)
        case .giveUp(let told): .giveUp(people: told.count)
        }
    }

    private static func emptyStore() throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        return database
    }

    @Test func `a small store is counted for everybody who asks`() throws {
        var rounds = StatisticsRounds()
        for second in 0..<3 {
            #expect(ask(&rounds, at: second) == .count)
            for _ in 1...3 { #expect(try step(&rounds, of: second, at: second) == .goOn(after: .zero)) }
            #expect(ask(&rounds, at: second) == .wait)
            #expect(try step(&rounds, of: second, isOver: true, at: second) == .finish(second, people: 2))
        }
    }

    @Test func `nobody waits for a large store, which is counted with a rest of nineteen times what each step took`()
        throws
    {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        for _ in 1...3 { #expect(try step(&rounds, of: 0, at: 0) == .goOn(after: .zero)) }
        #expect(ask(&rounds, at: 0) == .wait)
        let rest = Duration.milliseconds(1_900)
        #expect(try step(&rounds, of: 0, at: 0) == .goOnAndAnswer(after: rest, nil, people: 2))
        #expect(ask(&rounds, at: 1) == .answer(nil))
        #expect(try step(&rounds, of: 0, at: 2) == .goOn(after: rest))
        #expect(try step(&rounds, of: 0, isOver: true, cost: .milliseconds(200), at: 4) == .finish(0, people: 0))

        // It was large the last time, so nobody waits to see whether it is, and it rests from the first step on.
        #expect(ask(&rounds, at: 7) == .answer(0))
        #expect(ask(&rounds, at: 8) == .answerAndCount(0))
        #expect(ask(&rounds, at: 8) == .answer(0))
        #expect(try step(&rounds, of: 8, at: 8) == .goOn(after: rest))
        for _ in 2...4 { #expect(try step(&rounds, of: 8, at: 9) == .goOn(after: rest)) }
        #expect(try step(&rounds, of: 8, isOver: true, at: 10) == .finish(8, people: 0))
        #expect(ask(&rounds, at: 11) == .answer(8))
        #expect(ask(&rounds, at: 12) == .answerAndCount(8))
    }

    @Test func `a store that grows large tells its last whole count, and one that becomes small is counted again`()
        throws
    {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        #expect(try step(&rounds, of: 0, isOver: true, at: 0) == .finish(0, people: 1))
        #expect(ask(&rounds, at: 1) == .count)
        for _ in 1...3 { _ = try step(&rounds, of: 1, at: 1) }
        let rest = Duration.milliseconds(1_900)
        #expect(try step(&rounds, of: 1, at: 1) == .goOnAndAnswer(after: rest, 0, people: 1))
        #expect(try step(&rounds, of: 1, isOver: true, at: 2) == .finish(1, people: 0))
        #expect(ask(&rounds, at: 9) == .answerAndCount(1))
        #expect(try step(&rounds, of: 9, isOver: true, at: 9) == .finish(9, people: 0))
        #expect(ask(&rounds, at: 9) == .count)
    }

    @Test func `a step that stood still is followed by a rest of a minute, no matter how long it was`() throws {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        for _ in 1...4 { _ = try step(&rounds, of: 0, at: 0) }
        #expect(try step(&rounds, of: 0, cost: .seconds(3_600), at: 3_600) == .goOn(after: .seconds(60)))
        #expect(try step(&rounds, of: 0, isOver: true, cost: .seconds(3_600), at: 7_200) == .finish(0, people: 0))
        #expect(ask(&rounds, at: 7_259) == .answer(0))
        #expect(ask(&rounds, at: 7_260) == .answerAndCount(0))
    }

    @Test(arguments: [.overloaded, .damaged, .failed(code: 10, message: "")] as [StoreError])
    func `a small store's count that fails is told to all who wait, and the next one begins anew`(_ error: StoreError) {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        #expect(ask(&rounds, at: 0) == .wait)
        #expect(fail(&rounds, error) == .giveUp(people: 2))
        #expect(ask(&rounds, at: 0) == .count)
    }

    @Test func `a large store's count goes on after a minute where a step was refused`() throws {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        for _ in 1...4 { _ = try step(&rounds, of: 0, at: 0) }
        for _ in 1...2 { #expect(fail(&rounds, .overloaded) == .goOn(after: .seconds(60))) }
        #expect(ask(&rounds, at: 100) == .answer(nil))
        #expect(try step(&rounds, of: 0, at: 120) == .goOn(after: .milliseconds(1_900)))
        #expect(try step(&rounds, of: 0, isOver: true, at: 122) == .finish(0, people: 0))
        #expect(ask(&rounds, at: 123) == .answer(0))
    }

    @Test(arguments: [.closed, .damaged, .failed(code: 10, message: "")] as [StoreError])
    func `a large store's count begins anew where it cannot be read`(_ error: StoreError) throws {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        for _ in 1...4 { _ = try step(&rounds, of: 0, at: 0) }
        #expect(fail(&rounds, error) == .giveUp(people: 0))
        #expect(ask(&rounds, at: 1) == .answerAndCount(nil))
    }
}
