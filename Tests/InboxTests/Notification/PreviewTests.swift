import Inbox
import JSON
import Testing

struct PreviewTests {
    /// Cuts to ten characters.
    private static let yaml = """
        catalog: notes
        events:
          noted: {routes: [{to: readers, type: NOTED}]}
        types:
          NOTED:
            preview: {path: text, max: 10}
            text: "{{preview}}"
        """

    private func preview(_ text: String) throws -> String {
        let event = Event(
            type: "noted", to: [.init(name: "readers", users: Rooms.users("you"))], data: ["text": .string(text)])
        return try Catalog(yaml: Self.yaml, file: "notes.yaml").content(event).displayText
    }

    @Test(arguments: [
        ("", ""),
        ("short", "short"),
        ("ten chars!", "ten chars!"),
        ("eleven char", "eleven..."),
        ("a bc defghijk", "a bc..."),
        ("one two three", "one two..."),
        ("incomprehensible", "incompr..."),
        ("  two\n\n lines \t", "two lines"),
        ("one two \n  ", "one two"),
        ("abcdefg hijk", "abcdefg..."),
        (String(repeating: "👨‍👩‍👧‍👦", count: 10), String(repeating: "👨‍👩‍👧‍👦", count: 10)),
        ("🇮🇹🇫🇷🇩🇪🇮🇹🇫🇷🇩🇪🇮🇹🇫🇷🇩🇪🇮🇹🇫🇷", "🇮🇹🇫🇷🇩🇪🇮🇹🇫🇷🇩🇪🇮🇹..."),
        ("cafe\u{301} ete\u{301} no\u{308}", "cafe\u{301}..."),
        (
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}"
        ),
    ])
    func `a preview is cut behind a word and counted as readers count`(_ text: String, _ expected: String) throws {
        #expect(try preview(text) == expected)
    }

    @Test func `no preview of a comment is longer than a hundred characters`() throws {
        let catalog = try Rooms.catalog()
        for length in 1...130 {
            for word in ["x", "ab ", "longer words ", "👍🏽 "] {
                let text = String(String(repeating: word, count: length).prefix(length))
                let event = Event(
                    type: "comment_liked", actor: Rooms.sarah,
                    to: [.init(name: "author", users: Rooms.users("you"))],
                    data: ["room": Rooms.room("1", "r"), "comment": ["id": "1", "text": .string(text)]])
                let preview = try catalog.content(event).displayText.dropFirst("sarah liked your comment: ".count)
                #expect(preview.count <= 100)
                #expect(preview.hasSuffix("...") == (preview.count < text.trimmed.count || text.trimmed.count > 100))
            }
        }
    }

    @Test func `a preview of something else than a text is refused`() throws {
        let event = Event(
            type: "noted", to: [.init(name: "readers", users: Rooms.users("you"))], data: ["text": 7])
        let problem = try #require(throws: EventProblem.self) {
            try Catalog(yaml: Self.yaml, file: "notes.yaml").route(event)
        }
        #expect(problem.code == "wrong_type")
        #expect(problem.pointer == "/data/text")
    }
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return text
    }
}
