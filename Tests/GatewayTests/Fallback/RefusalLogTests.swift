import Inbox
import Testing

@testable import Gateway

struct RefusalLogTests {
    private var log = RefusalLog()

    @Test mutating func `the first refusal is told at once, those after it once a minute with their number`() {
        #expect(log.note("BadTopic", at: .noon).report == .init(reason: "BadTopic", count: 1))
        for second in 1..<60 {
            #expect(log.note("BadTopic", at: .noon + .seconds(second)).report == nil)
        }
        #expect(log.note("BadTopic", at: .noon + .seconds(61)).report == .init(reason: "BadTopic", count: 60))
    }

    @Test mutating func `a refusal that nothing follows is told as well when its minute is over`() {
        for _ in 0..<5 { _ = log.note("BadTopic", at: .noon) }
        #expect(log.nextReport == .noon + .seconds(60))
        #expect(log.reports(at: .noon + .seconds(59)) == [])
        #expect(log.reports(at: .noon + .seconds(60)) == [.init(reason: "BadTopic", count: 4)])
        #expect(log.nextReport == nil)
        #expect(log.reports(at: .noon + .seconds(600)) == [])
    }

    @Test mutating func `each reason is told apart`() {
        #expect(log.note("BadTopic", at: .noon).report != nil)
        #expect(log.note("PayloadTooLarge", at: .noon).report != nil)
    }

    @Test mutating func `a provider with ever new reasons fills neither log nor memory`() {
        let reasons = Set((0..<1_000).map { log.note("reason \($0)", at: .noon).reason })
        #expect(reasons.count == RefusalLog.maximumReasons + 1)
        #expect(log.entries.count == RefusalLog.maximumReasons + 1)
        #expect(log.entries[RefusalLog.others]?.count == 1_000 - RefusalLog.maximumReasons)
    }
}
