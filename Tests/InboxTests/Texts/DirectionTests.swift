import JSON
import Testing

@testable import Inbox

/// A value cannot change the direction of what stands behind it (UAX #9).
struct DirectionTests {
    @Test(arguments: [
        ("alice", "alice"),
        ("al\u{202E}ice", "alice"),
        ("al\u{202E}ic\u{202C}e", "al\u{202E}ic\u{202C}e"),
        ("a\u{202C}b\u{2069}", "ab"),
        ("\u{2066}a\u{2067}b\u{2069}", "a\u{2067}b\u{2069}"),
        ("\u{2068}a\u{202A}b\u{2069}c\u{202C}", "\u{2068}ab\u{2069}c"),
        ("\u{202D}a\u{2066}b\u{202C}c\u{2069}d\u{202C}", "\u{202D}a\u{2066}bc\u{2069}d\u{202C}"),
        ("\u{202E}one\ntwo\u{202C}", "one\ntwo"),
        ("\u{2067}one\u{2029}two\u{2069}", "one\u{2029}two"),
        // Marks, and other characters of the same octets, end with themselves.
        ("\u{200E}a\u{200F}\u{61C}", "\u{200E}a\u{200F}\u{61C}"),
        ("“‘’” – … \u{202F}\u{2028}", "“‘’” – … \u{202F}\u{2028}"),
        ("שלום \u{202B}x", "שלום x"),
    ])
    func `controls without a partner are left out, and nothing else`(_ text: String, _ expected: String) {
        #expect(Array(text.balancingDirections.unicodeScalars) == Array(expected.unicodeScalars))
    }

    private static let yaml = """
        catalog: notes
        events:
          noted: {data: [title, people], routes: [{to: readers, type: NOTED}]}
        types:
          NOTED:
            preview: {path: title, max: 12}
            text: "{{actor}} noted: {{title}}!"
            fields:
              line: "{{actor}}: {{title}}."
              names: {value: people, join: ", "}
              raw: {value: title}
              same: "{{title}}"
            group: "notes:{{title}}"
            groupText: {one: "a note on {{title}} by {{actor}}", other: "{{count}} notes on {{title}} by {{actor}}"}
            push:
              title: "{{title}}"
              body: "{{preview}} by {{actor}}"
              summary: {title: "{{count}} of {{actor}}", body: "{{title}}, {{count}}"}
        """

    private static func content(_ actor: String, _ title: String) throws -> Content {
        let event = Event(
            type: "noted", actor: ["id": "a", "username": .string(actor)],
            to: [.init(name: "readers", users: Rooms.users("you"))],
            data: ["title": .string(title), "people": [.string(title), .string(actor)]])
        return try Catalog(yaml: yaml, file: "notes.yaml").content(event)
    }

    @Test func `every text that shows a value ends its controls within the value`() throws {
        let content = try Self.content("al\u{202E}ice", "to\u{2067}do and more words")
        let members = try content.members
        let push = try #require(content.push)
        #expect(content.displayText == "alice noted: todo and more words!")
        #expect(members["line"] == "alice: todo and more words.")
        #expect(members["names"] == "todo and more words, alice")
        #expect(content.groupText?.text(count: 2) == "2 notes on todo and more words by alice")
        #expect((push.title, push.body) == ("todo and more words", "todo and... by alice"))
        #expect(push.summary?.title.text(count: 3) == "3 of alice")
        #expect(push.summary?.body.text(count: 3) == "todo and more words, 3")
    }

    @Test func `a control of one value does not pair with one of another, and pairs stay`() throws {
        #expect(try Self.content("a\u{202E}b", "c\u{202C}d").displayText == "ab noted: cd!")
        #expect(try Self.content("a\u{2067}b\u{2069}", "c").displayText == "a\u{2067}b\u{2069} noted: c!")
    }

    @Test func `values that are compared stay as they are`() throws {
        let title = "to\u{202E}do"
        let members = try Self.content("alice", title).members
        #expect(members["raw"] == .string(title))
        #expect(members["same"] == .string(title))
    }

    @Test func `a client finds the actor's name at the start of the text`() throws {
        let json = #"""
            {"type": "noted", "actor": {"id": "a1", "username": "al\#u{202E}ice", "age": 7},
             "to": {"readers": ["you"]}, "data": {"title": "t", "people": []}}
            """#
        let event = try Event(json: JSONValue(parsing: json), at: Timestamp(milliseconds: 0))
        #expect(event.actor == ["id": "a1", "username": "alice", "age": 7])
    }
}
