import Inbox
import Push
import Testing

@testable import Gateway

struct FailureLogTests {
    private var log = FailureLog()

    private mutating func fail(_ reason: String, at now: Timestamp) -> Bool {
        log.failed(NoAnswer(reason: reason), scope: .provider, at: now)
    }

    @Test mutating func `the first failure is told at once, and those after it with the same reason are not`() {
        #expect(fail("refused", at: .noon) == true)
        for second in 1..<600 { #expect(fail("refused", at: .noon + .seconds(second)) == false) }
        #expect(log.last == .init(cause: NoAnswer(reason: "refused"), scope: .provider, at: .noon + .seconds(599)))
    }

    @Test mutating func `another reason is told at once`() {
        #expect(fail("refused", at: .noon) == true)
        #expect(fail("no such host", at: .noon + .seconds(1)) == true)
        #expect(log.current == "no such host")
    }

    @Test mutating func `a failure after an answer is told again, but each reason once a minute`() {
        #expect(fail("refused", at: .noon) == true)
        log.answered()
        #expect(log.current == nil)
        #expect(log.last?.cause.reason == "refused")
        #expect(fail("refused", at: .noon + .seconds(59)) == false)
        #expect(fail("refused", at: .noon + .seconds(60)) == true)
    }

    @Test mutating func `reasons that alternate are told once a minute each`() {
        let told = (0..<180).filter { fail($0.isMultiple(of: 2) ? "refused" : "reset", at: .noon + .seconds($0)) }
        #expect(told == [0, 1, 60, 61, 120, 121])
    }

    @Test mutating func `a clock that was set back silences nothing`() {
        #expect(fail("refused", at: .noon) == true)
        log.answered()
        #expect(fail("refused", at: .noon - .seconds(3_600)) == true)
    }

    @Test mutating func `ever new reasons fill neither log nor memory`() {
        let told = (0..<1_000).count { fail("reason \($0)", at: .noon) }
        #expect(told == FailureLog.maximumReasons)
        #expect(fail("one more", at: .noon + .seconds(60)) == true)
    }
}
