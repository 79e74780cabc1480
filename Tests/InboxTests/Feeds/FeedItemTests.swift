import Inbox
import JSON
import Testing

struct FeedItemTests {
    private static let now = Timestamp(milliseconds: 1_733_767_200_007)

    private func rule(_ text: String) throws -> FeedRule {
        try #require(try FeedRulesTests.catalog("posts: {access: public, \(text)}").feeds.rule(for: "posts"))
    }

    private func item(_ json: String, _ rule: String) throws -> FeedItem {
        try self.rule(rule).item(JSONValue(parsing: json), of: "posts", at: Self.now)
    }

    private static func outcome(
        _ read: () throws(FeedItemProblem) -> FeedItem
    ) -> Result<FeedItem, FeedItemProblem> {
        Result(catching: read)
    }

    @Test(
        arguments: [
            #" {"a": 1.50, "é": "ü\n\u0000", "b" : [1, null, true, {}], "a": -0.0} "#, "[]", "\"text\"", "1e3", "null",
            "[18446744073709551615, -9223372036854775808, 1E300, -0.0, 0.1, 1e-7]",
            #"{"": "", "\"\\": "\u00e9\ud83d\ude00", "long enough to be read by words\n": "and here the last but one is\t."}"#,
            "[[[{\"a\": [[], {}, [{\"b\": {\"c\": [true, false, null]}}]]}]]]",
        ], ["length: 5", "id: id", "tags: tags, time: at"])
    func `an item is the same whether it is read from a copy or where it was parsed`(
        _ json: String, _ more: String
    ) throws {
        let rule = try rule(more)
        let value = try JSONValue(parsing: json)
        let copied = Self.outcome { () throws(FeedItemProblem) in try rule.item(value, of: "posts", at: Self.now) }
        // With room behind it, as the parser asks for.
        let bytes = Array(json.utf8) + [UInt8](repeating: 0, count: 64)
        let parsed = try bytes.withUnsafeBytes { bytes in
            let node = try JSONNode(parsing: UnsafeRawBufferPointer(rebasing: bytes[..<json.utf8.count]))
            return Self.outcome { () throws(FeedItemProblem) in try rule.item(node, of: "posts", at: Self.now) }
        }
        #expect(parsed == copied)
    }

    @Test func `a rule finds id, author and tags`() throws {
        let item = try item(
            #"{"id": 7, "author": {"email": "p@x.org"}, "tags": ["post", "cat", "post"]}"#,
            "id: id, author: author.email, tags: tags")
        #expect((item.id, item.author, item.tags) == ("7", "p@x.org", ["post", "cat"]))
        let single = try self.item(#"{"tags": "post"}"#, "tags: tags, id: id")
        #expect((single.id, single.author, single.tags) == (nil, nil, ["post"]))
    }

    @Test(
        arguments: [
            (
                #"{"id":"a","created_at":"2024-01-01T00:00:00Z","n":1}"#, #"{"id":"a","created_at":"@","n":1}"#,
                "created_at"
            ),
            (#"{"id":"a"}"#, #"{"id":"a","created_at":"@"}"#, "created_at"),
            (#"{"created_at":null,"é":"ü"}"#, #"{"created_at":"@","é":"ü"}"#, "created_at"),
            (#"{"created_at":5,"created_at":6}"#, #"{"created_at":"@"}"#, "created_at"),
            (#"{"meta":{"by":"pete"},"x":[]}"#, #"{"meta":{"by":"pete","at":"@"},"x":[]}"#, "meta.at"),
            (#"{"x":{}}"#, #"{"x":{},"meta":{"at":"@"}}"#, "meta.at"),
        ])
    func `the stamp stands where the rule says`(_ json: String, _ expected: String, _ path: String) throws {
        var item = try item(json, "time: \(path)")
        #expect(String(decoding: item.json, as: UTF8.self) == expected.replacing("@", with: Self.now.iso8601))
        let later = Self.now + .milliseconds(5)
        item.stamp(later)
        #expect(String(decoding: item.json, as: UTF8.self) == expected.replacing("@", with: later.iso8601))
        #expect(item.publishedAt == later)
    }

    @Test func `an item of a feed without a rule passes as it is`() throws {
        let json = try JSONValue(parsing: #"[1, null, "any JSON"]"#)
        var item = try FeedRule.undeclared("any*").item(json, of: "any*", at: Self.now)
        item.stamp(Self.now + .seconds(1))
        #expect(item.json == json.encoded)
    }

    @Test(
        arguments: [
            (#"{"id": {}}"#, "wrong_type", "/id", "id: expected a text or a whole number, found an object"),
            (
                #"{"id": ""}"#, "invalid_value", "/id",
                "id: expected 1 to 200 bytes, with at least one visible character and no control or direction characters"
            ),
            (
                #"{"id": "a\u001b[2J"}"#, "invalid_value", "/id",
                "id: expected 1 to 200 bytes, with at least one visible character and no control or direction characters"
            ),
            (#"{"tags": [1]}"#, "wrong_type", "/tags", "tags: expected a list of texts"),
            (
                #"{"tags": [""]}"#, "invalid_value", "/tags",
                "tags: expected at most 20 tags, each of 1 to 100 bytes, with at least one visible character and no control or direction characters"
            ),
            (
                #"{"tags": ["a\u0085"]}"#, "invalid_value", "/tags",
                "tags: expected at most 20 tags, each of 1 to 100 bytes, with at least one visible character and no control or direction characters"
            ),
            (#"{"at": {"x": []}}"#, "wrong_type", "/at/x", "at.x: expected a time"),
            (#"{"at": "now"}"#, "wrong_type", "/at", "at: expected an object, found a string"),
            ("7", "wrong_type", "", "expected an object, found a number"),
        ])
    func `an item that is not as its rule says is refused with its place`(
        _ json: String, _ code: String, _ pointer: String, _ message: String
    ) throws {
        let problem = try #require(throws: FeedItemProblem.self) { try item(json, "id: id, tags: tags, time: at.x") }
        #expect((problem.code, problem.pointer, problem.message) == (code, pointer, message))
    }
}
