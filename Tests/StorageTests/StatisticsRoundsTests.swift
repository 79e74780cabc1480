import GRDB
import Testing

@testable import Storage

/// The dialogue between those who ask and the count.
struct StatisticsRoundsTests {
    private let start = ContinuousClock.now
    private let ignored: StatisticsRounds.Completion = { _ in }

    private enum Action: Equatable {
        case answer, wait, count, goOn
        case goOnAndAnswer(Int)
        case finish(Int)
    }

    private func ask(_ rounds: inout StatisticsRounds, at seconds: Int) -> Action {
        switch rounds.asked(at: start + .seconds(seconds), ignored) {
        case .answer: .answer
        case .wait: .wait
        case .count: .count
        }
    }

    private func step(_ rounds: inout StatisticsRounds, isOver: Bool, at seconds: Int) throws -> Action {
        let walk = try isOver ? Self.wholeWalk() : StatisticsWalk()
        switch rounds.stepped(walk, at: start + .seconds(seconds)) {
        case .goOn: return .goOn
        case .goOnAndAnswer(_, let answered): return .goOnAndAnswer(answered.count)
        case .finish(_, let answered): return .finish(answered.count)
        }
    }

    private static func wholeWalk() throws -> StatisticsWalk {
        var walk = StatisticsWalk()
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.read { try walk.step($0, rows: 10) }
        return walk
    }

    @Test func `a small store is counted for everybody who asks`() throws {
        var rounds = StatisticsRounds()
        for second in 0..<3 {
            #expect(ask(&rounds, at: second) == .count)
            #expect(ask(&rounds, at: second) == .wait)
            #expect(try step(&rounds, isOver: true, at: second) == .finish(2))
        }
    }

    @Test func `the first count of a large store is waited for, later ones are not`() throws {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        for _ in 0..<9 { #expect(try step(&rounds, isOver: false, at: 1) == .goOn) }
        #expect(ask(&rounds, at: 2) == .wait)
        #expect(try step(&rounds, isOver: true, at: 2) == .finish(2))

        // It cost two seconds, so it rests for twenty.
        #expect(ask(&rounds, at: 21) == .answer)
        #expect(ask(&rounds, at: 22) == .count)
        for _ in 0..<3 { #expect(try step(&rounds, isOver: false, at: 22) == .goOn) }
        #expect(try step(&rounds, isOver: false, at: 22) == .goOnAndAnswer(1))
        #expect(ask(&rounds, at: 23) == .answer)
        #expect(try step(&rounds, isOver: false, at: 23) == .goOn)
        #expect(try step(&rounds, isOver: true, at: 24) == .finish(0))
        #expect(ask(&rounds, at: 43) == .answer)
        #expect(ask(&rounds, at: 44) == .count)
    }

    @Test func `a count that fails is told to all who wait, and the next one begins anew`() throws {
        var rounds = StatisticsRounds()
        #expect(ask(&rounds, at: 0) == .count)
        #expect(ask(&rounds, at: 0) == .wait)
        #expect(rounds.failed().count == 2)
        #expect(ask(&rounds, at: 0) == .count)
        #expect(try step(&rounds, isOver: true, at: 0) == .finish(1))
    }
}
