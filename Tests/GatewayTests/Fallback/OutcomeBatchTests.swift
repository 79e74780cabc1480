import Inbox
import Push
import Store
import Testing

@testable import Gateway

@Suite struct OutcomeBatchTests {
    private func outcomes(_ ids: ClosedRange<Int64>) throws -> [PushOutcome] {
        try PushJob.numbered(ids).map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
    }

    private func ids(_ outcomes: [PushOutcome]?) -> [Int64]? { outcomes?.flatMap(\.job.parts).map(\.id) }

    @Test func `outcomes go together once they are as many as pushes are still under way`() throws {
        var batch = OutcomeBatch()
        batch.add(try outcomes(1...2), at: .noon)
        #expect(batch.takeDue(underWay: 4, at: .noon) == nil)
        batch.add(try outcomes(3...3), at: .noon)
        #expect(ids(batch.takeDue(underWay: 3, at: .noon)) == [1, 2, 3])
        #expect(batch.deadline == nil)
    }

    @Test func `the last one waits for nobody`() throws {
        var batch = OutcomeBatch()
        batch.add(try outcomes(1...1), at: .noon)
        #expect(ids(batch.takeDue(underWay: 0, at: .noon)) == [1])
    }

    @Test func `a slow service holds none of them up for longer than five milliseconds after the first`() throws {
        var batch = OutcomeBatch()
        batch.add(try outcomes(1...1), at: .noon)
        batch.add(try outcomes(2...2), at: .noon + .milliseconds(4))
        #expect(batch.deadline == .noon + .milliseconds(5))
        #expect(batch.takeDue(underWay: 100, at: .noon + .milliseconds(4)) == nil)
        #expect(ids(batch.takeDue(underWay: 100, at: .noon + .milliseconds(5))) == [1, 2])
    }

    @Test func `a clock that is set back holds none of them up`() throws {
        var batch = OutcomeBatch()
        batch.add(try outcomes(1...1), at: .noon)
        #expect(ids(batch.takeDue(underWay: 100, at: .noon - .seconds(3_600))) == [1])
    }

    @Test func `there is nothing to take where nothing came`() throws {
        var batch = OutcomeBatch()
        batch.add([], at: .noon)
        #expect(batch.deadline == nil)
        #expect(batch.takeDue(underWay: 0, at: .noon) == nil)
        #expect(batch.takeAll() == nil)
        batch.add(try outcomes(1...1), at: .noon)
        #expect(ids(batch.takeAll()) == [1])
        #expect(batch.takeAll() == nil)
    }
}
