import Inbox
import Push
import Testing

struct ReplacementTests {
    private func content(app: String, key: String?) -> PushContent {
        var content = PushTests.content()
        content.app = app
        content.replaceKey = key
        return content
    }

    @Test func `without a replace key each notification stands for itself`() {
        #expect(content(app: "rooms", key: nil).replacementID == nil)
    }

    @Test func `pushes with one replace key share an id that every provider takes`() throws {
        let id = try #require(content(app: "rooms", key: "room:789").replacementID)
        #expect(id == content(app: "rooms", key: "room:789").replacementID)
        #expect(id.utf8.count == 32)
        #expect(id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test(arguments: [("rooms", "room:78"), ("room", "sroom:789"), ("", "rooms\0room:789"), ("posts", "room:789")])
    func `another app or key is another id`(app: String, key: String) {
        #expect(content(app: app, key: key).replacementID != content(app: "rooms", key: "room:789").replacementID)
    }

    @Test(arguments: [
        ("../../x", "%2E%2E%2F%2E%2E%2Fx"), ("a?b#c", "a%3Fb%23c"), ("é\u{1}", "%C3%A9%01"), ("Az09-_~", "Az09-_~"),
        ("a b+c=d&", "a%20b%2Bc%3Dd%26"),
    ])
    func `a text stays one segment and one value`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
    }
}
