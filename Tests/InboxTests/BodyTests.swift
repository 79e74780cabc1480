import Inbox
import JSON
import Testing

/// A notification's members behind its time, byte for byte.
struct BodyTests {
    private static let yaml = """
        catalog: notes
        actor: [id, username]
        events:
          noted: {routes: [{to: readers, type: NOTED}, {to: guests, type: GROUPED}, {to: owners, type: LINKED}]}
        types:
          NOTED:
            text: "a note"
            deepLink: {type: note, spot: "{{text}}", raw: {value: text}}
            fields: {plain: "{{text}}", framed: "<{{text}}>", raw: {value: text}, fixed: true}
          GROUPED:
            text: "a note"
            fields: {fixed: true, plain: "{{text}}"}
            group: "notes:{{text}}"
          LINKED:
            text: "a note"
            deepLink: {type: note}
            group: "notes:{{text}}"
        """

    /// Each with what stands between its quotes in JSON.
    private static let texts = [
        ("", ""), ("abc", "abc"), ("abcdefg", "abcdefg"), ("abcdefghi", "abcdefghi"),
        ("a text of more than fifteen bytes", "a text of more than fifteen bytes"), ("cafés für 2", "cafés für 2"),
        (#"""#, #"\""#), (#"\"#, #"\\"#), ("\n", #"\n"#), (#"ab""#, #"ab\""#), (#"abcdef\"#, #"abcdef\\"#),
        ("abcdefgh\n", #"abcdefgh\n"#), ("\u{1}a \"quote\", a \\ and\na line", #"\u0001a \"quote\", a \\ and\na line"#),
    ]

    private func body(_ type: String, actor: JSONObject?, text: String?) throws -> String {
        let event = Event(
            type: "noted", actor: actor, to: [], data: text.map { ["text": .string($0)] } ?? [:])
        let type = try #require(try Catalog(yaml: Self.yaml, file: "notes.yaml").notificationType(named: type))
        let content = type.content(for: event, at: Timestamp(milliseconds: 0), growing: nil)
        return String(decoding: content.body, as: UTF8.self)
    }

    @Test(arguments: texts)
    func `a text stands with its escapes in the actor, the deep link and the fields`(
        _ text: String, _ escaped: String
    ) throws {
        let body = try body("NOTED", actor: ["id": .string(text), "username": "pete"], text: text)
        #expect(
            body == #""actor":{"id":"\#(escaped)","username":"pete"},"#
                + #""deepLink":{"type":"note","spot":"\#(escaped)","raw":"\#(escaped)","actorId":"\#(escaped)"},"#
                + #""plain":"\#(escaped)","framed":"<\#(escaped)>","raw":"\#(escaped)","fixed":true"#)
    }

    @Test func `a missing value is null`() throws {
        let rest = #""plain":null,"framed":null,"raw":null,"fixed":true"#
        let deepLink = #""deepLink":{"type":"note","spot":null,"raw":null,"actorId":null}"#
        #expect(try body("NOTED", actor: nil, text: nil) == #""actor":null,\#(deepLink),\#(rest)"#)
        #expect(
            try body("NOTED", actor: ["username": "pete"], text: nil)
                == #""actor":{"id":null,"username":"pete"},\#(deepLink),\#(rest)"#)
    }

    @Test(arguments: texts)
    func `a group follows a field that is the last member`(_ text: String, _ escaped: String) throws {
        let body = try body("GROUPED", actor: nil, text: text)
        #expect(body == #""actor":null,"fixed":true,"plain":"\#(escaped)","group":"notes:\#(escaped)""#)
    }

    @Test func `a field that is the last member ends the body where there is no group`() throws {
        #expect(try body("GROUPED", actor: nil, text: nil) == #""actor":null,"fixed":true,"plain":null"#)
    }

    @Test(arguments: texts)
    func `a deep link may say nothing but its type and who did it`(_ text: String, _ escaped: String) throws {
        let body = try body("LINKED", actor: ["id": .string(text)], text: text)
        #expect(
            body == #""actor":{"id":"\#(escaped)","username":null},"#
                + #""deepLink":{"type":"note","actorId":"\#(escaped)"},"group":"notes:\#(escaped)""#)
        let missing = try self.body("LINKED", actor: nil, text: nil)
        #expect(missing == #""actor":null,"deepLink":{"type":"note","actorId":null}"#)
    }
}
