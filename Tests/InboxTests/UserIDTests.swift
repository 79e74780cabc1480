import Testing

@testable import Inbox

struct UserIDTests {
    @Test(arguments: [("K", "\u{212A}"), ("\u{E9}", "e\u{301}"), ("ada", "Ada")])
    func `ids that only look alike are different people`(_ one: String, _ other: String) throws {
        let people = [try #require(UserID(rawValue: one)), try #require(UserID(rawValue: other))]
        #expect(people[0] != people[1])
        #expect(Set(people).count == 2)
        #expect(Dictionary(people.map { ($0, $0.rawValue.utf8.count) }) { first, _ in first }.count == 2)
    }

    @Test(arguments: [("", false), ("a", true), (String(repeating: "x", count: 201), false)])
    func `an id has one byte to 200`(_ text: String, _ isValid: Bool) {
        #expect((UserID(rawValue: text) != nil) == isValid)
    }
}
