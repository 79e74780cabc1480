import Testing

@testable import Transport

@Suite struct HeapTrimRuleTests {
    @Test func `memory is given back once for a thousand endings`() {
        var rule = HeapTrimRule()
        let first = (1...1_000).map { _ in rule.ended() }
        #expect(first.firstIndex(of: true) == 999)
        // Those that end while it is planned are served by it, too.
        let planned = (1...5_000).map { _ in rule.ended() }
        #expect(!planned.contains(true))
        rule.trimmed()
        let second = (1...1_000).map { _ in rule.ended() }
        #expect(second.firstIndex(of: true) == 999)
    }
}
