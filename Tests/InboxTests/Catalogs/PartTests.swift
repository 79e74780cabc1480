import Inbox
import JSON
import Testing

/// Texts put together from parts, and values cut for one text alone.
struct PartTests {
    private static let yaml = """
        catalog: issues
        events:
          sent: {data: [text, issue.title, place.name], routes: [{to: all, type: MESSAGE}]}
        types:
          MESSAGE:
            previews:
              short: {path: issue.title, max: 20, ellipsis: "", optional: true}
              dotted: {path: issue.title, max: 20, optional: true}
            parts:
              place: [" at {{place.name}}", ""]
              about: ["About '{{short}}'{{place}}: ", ""]
            text: "{{about}}{{text}}"
            fields: {title: {value: issue.title, default: null}, short: ["{{dotted}}", ""]}
        translations:
          de: {types: {MESSAGE: {parts: {about: ["Zu '{{short}}'{{place}}: ", ""]}}}}
        """

    private static func content(_ data: JSONObject, in language: String? = nil) throws -> Content {
        let event = Event(
            type: "sent", actor: ["id": "a"], to: [.init(name: "all", users: Rooms.users("you"))], data: data)
        let type = try #require(try Catalog(yaml: yaml, file: "issues.yaml").route(event).groups.first?.type)
        return type.content(
            for: event, reader: Reader(locale: language), at: Timestamp(milliseconds: 0), growing: nil)
    }

    private static let issue: JSONValue = ["title": "Broken freezer compressor"]

    @Test(
        arguments: [
            (
                ["text": "Hi", "issue": issue, "place": ["name": "Banana Stand"]],
                "About 'Broken freezer' at Banana Stand: Hi"
            ),
            (["text": "Hi", "issue": issue], "About 'Broken freezer': Hi"),
            (["text": "Hi", "place": ["name": "Banana Stand"]], "Hi"),
            (["text": "Hi"], "Hi"),
        ] as [(JSONObject, String)])
    func `a value that is missing costs only its part`(_ data: JSONObject, _ expected: String) throws {
        #expect(try Self.content(data).displayText == expected)
    }

    @Test func `a value is cut in one text alone, and stands whole elsewhere`() throws {
        let members = try Self.content(["text": "Hi", "issue": Self.issue]).members
        #expect(members["title"] == "Broken freezer compressor")
        #expect(members["short"] == "Broken freezer...")
    }

    @Test func `parts are translated, each by itself`() throws {
        let content = try Self.content(["text": "Hi", "issue": Self.issue, "place": ["name": "B"]], in: "de")
        #expect(content.displayText == "Zu 'Broken freezer' at B: Hi")
    }

    private static func errors(_ lines: String) throws -> [String] {
        let yaml = """
            catalog: c
            events: {e: {data: [a, n, list], routes: [{to: all, type: X}]}}
            types:
              X:
            \(lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            """
        do { _ = try Catalog(yaml: yaml, file: "c.yaml") } catch {
            return error.issues.map { "\($0.key): \($0.message)" }
        }
        return []
    }

    private static let taken = "there is a placeholder of this name already; expected another name"
    private static let batch = "batch: {window: 5m, by: [], count: list, kind: k, nouns: {x: {other: y}}}"

    /// Names that the language has are taken only where they mean something.
    @Test(arguments: [
        (
            "text: \"{{kind}}{{count}}{{people}}\"\nwords: {kind: {path: a, of: {}}, count: {path: n, of: {}}, people: {path: a, of: {}}}",
            []
        ),
        ("text: \"{{preview}}\"\nwords: {preview: {path: a, of: {x: y}}}", []),
        ("text: t\nwords: {actor: {path: a, of: {x: y}}}", ["types.X.words.actor: \(taken)"]),
        ("text: \"{{preview}}\"\npreview: {path: a, max: 9}\nparts: {preview: b}", ["types.X.parts.preview: \(taken)"]),
        ("text: t\n\(batch)\nwords: {kind: {path: a, of: {x: y}}}", ["types.X.words.kind: \(taken)"]),
        ("text: t\n\(batch)\nparts: {count: b}", ["types.X.parts.count: \(taken)"]),
        ("text: t\n\(batch)\nparts: {list: b}", ["types.X.parts.list: \(taken)"]),
        ("text: t\ngroup: g\ngroupText: b\nparts: {count: b}", ["types.X.parts.count: \(taken)"]),
        (
            "text: t\npush: {title: t, body: b, summary: {title: t, body: b}}\nparts: {people: b}",
            ["types.X.parts.people: \(taken)"]
        ),
        (
            "text: \"{{w}}\"\ntimes: {w: {path: a, format: jm}}\nwords: {w: {path: a, of: {x: y}}}",
            ["types.X.words.w: \(taken)"]
        ),
        (
            "text: \"{{p}}\"\nparts: {p: \"{{q}}\", q: b}",
            ["types.X.parts.p: the data of event \"e\" has no \"q\"; did you mean \"a\"?"]
        ),
        (
            "text: t\nparts: {\"a b\": c}",
            ["types.X.parts.a b: expected a name of letters, digits, \"_\" and \"-\", as {{placeholders}} have"]
        ),
    ])
    func `a name that means something else is refused, and only that`(_ lines: String, _ expected: [String]) throws {
        #expect(try Self.errors(lines) == expected)
    }

    @Test(arguments: [
        ("previews: {p: {path: a, max: 3}}", ["types.X.previews.p.max: expected a whole number from 4 to 10000"]),
        (
            "previews: {p: {path: a, max: 0, ellipsis: \"\"}}",
            ["types.X.previews.p.max: expected a whole number from 1 to 10000"]
        ),
        ("previews: {p: {path: a, max: 2, ellipsis: …}}", []),
        (
            "previews: {p: {path: a, max: 9, elipsis: …}}",
            ["types.X.previews.p.elipsis: unknown key; did you mean \"ellipsis\"?"]
        ),
    ])
    func `a maximum has room for the ellipsis and one character`(_ lines: String, _ expected: [String]) throws {
        #expect(try Self.errors("text: \"{{p}}\"\n" + lines) == expected)
    }
}
