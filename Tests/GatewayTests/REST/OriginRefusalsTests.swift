import Logging
import Testing

@testable import Gateway

struct OriginRefusalsTests {
    private let lines = JSONLogHandlerTests.Lines()
    private let clock = JumpingClock()

    @Test func `each origin is told at once, and then once a minute with its number`() {
        let logger = Logger(label: "belfry") { [lines] _ in JSONLogHandler { lines.append($0) } }
        let refusals = OriginRefusals(logger: logger, now: { [clock] in clock.now })
        for _ in 1...3 { refusals.note(["https://a.example"]) }
        refusals.note(["null"])
        #expect(lines.all.count == 2)
        #expect(lines.all.first?.contains(#""origin":"https://a.example","times":"1""#) == true)
        #expect(lines.all.last?.contains(#""origin":"null","times":"1""#) == true)
        clock.jump(.seconds(60))
        refusals.note(["https://a.example"])
        #expect(lines.all.count == 3)
        #expect(lines.all.last?.contains(#""origin":"https://a.example","times":"3""#) == true)
    }

    @Test func `lines stay short and few, whatever a program sends as its origin`() throws {
        let logger = Logger(label: "belfry") { [lines] _ in JSONLogHandler { lines.append($0) } }
        let refusals = OriginRefusals(logger: logger, now: { [clock] in clock.now })
        refusals.note([String(repeating: "x", count: 10_000), "y"])
        #expect(try #require(lines.all.first).utf8.count < 600)
        for number in 1...1_000 { refusals.note(["https://\(number).example"]) }
        #expect(lines.all.count < 40)
    }
}
