import Testing

@testable import Inbox

struct SnoozeTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    @Test(arguments: [.milliseconds(1), .seconds(3_600), Snooze.longest] as [Duration])
    func `ends within thirty days`(_ length: Duration) throws {
        let end = Self.now + length
        #expect(try Snooze(until: end, at: Self.now, place: JSONPointer()).end == end)
        #expect(try SettingsChange.snooze(until: end.iso8601, at: Self.now) == .snooze(until: end))
    }

    @Test(arguments: [.zero, .milliseconds(-1), Snooze.longest + .milliseconds(1)] as [Duration])
    func `is refused if it would end before, or later`(_ length: Duration) {
        let problem = #expect(throws: PreferenceProblem.self) {
            try SettingsChange.snooze(until: (Self.now + length).iso8601, at: Self.now)
        }
        #expect(problem?.code == "invalid_value")
        #expect(problem?.pointer == "/until")
        #expect(problem?.message == "expected a moment to come, within 720 hours from now")
    }

    @Test func `ends without a moment, and is refused with one that is none`() throws {
        #expect(try SettingsChange.snooze(until: nil, at: Self.now) == .snooze(until: nil))
        #expect(throws: PreferenceProblem.self) { try SettingsChange.snooze(until: "tomorrow", at: Self.now) }
    }
}
