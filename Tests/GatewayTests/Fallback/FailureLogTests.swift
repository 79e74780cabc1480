import Inbox
import Testing

@testable import Gateway

struct FailureLogTests {
    private var log = FailureLog()

    @Test mutating func `the first failure is told at once, and those after it with the same reason are not`() {
        #expect(log.failed("refused", at: .noon) == true)
        for second in 1..<600 { #expect(log.failed("refused", at: .noon + .seconds(second)) == false) }
        #expect(log.last == .init(reason: "refused", at: .noon + .seconds(599)))
    }

    @Test mutating func `another reason is told at once`() {
        #expect(log.failed("refused", at: .noon) == true)
        #expect(log.failed("no such host", at: .noon + .seconds(1)) == true)
        #expect(log.current == "no such host")
    }

    @Test mutating func `a failure after an answer is told again, but each reason once a minute`() {
        #expect(log.failed("refused", at: .noon) == true)
        log.answered()
        #expect(log.current == nil)
        #expect(log.last?.reason == "refused")
        #expect(log.failed("refused", at: .noon + .seconds(59)) == false)
        #expect(log.failed("refused", at: .noon + .seconds(60)) == true)
    }

    @Test mutating func `reasons that alternate are told once a minute each`() {
        let told = (0..<180).filter { log.failed($0.isMultiple(of: 2) ? "refused" : "reset", at: .noon + .seconds($0)) }
        #expect(told == [0, 1, 60, 61, 120, 121])
    }

    @Test mutating func `a clock that was set back silences nothing`() {
        #expect(log.failed("refused", at: .noon) == true)
        log.answered()
        #expect(log.failed("refused", at: .noon - .seconds(3_600)) == true)
    }

    @Test mutating func `ever new reasons fill neither log nor memory`() {
        let told = (0..<1_000).count { log.failed("reason \($0)", at: .noon) }
        #expect(told == FailureLog.maximumReasons)
        #expect(log.failed("one more", at: .noon + .seconds(60)) == true)
    }
}
