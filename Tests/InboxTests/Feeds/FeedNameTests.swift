import Inbox
import Testing

struct FeedNameTests {
    @Test(arguments: ["posts", "query:42", "für alle", " posts ", "a b", "部屋", String(repeating: "x", count: 200)])
    func `a feed may have any name that can be shown, as a user and a topic may`(_ name: String) {
        #expect(FeedName.isValid(name) && TopicName.isValid(name) && UserID(name) != nil)
    }

    @Test(arguments: [
        "", " ", "   ", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}", "\u{2060}", "a\nb", "a\u{2028}b", "\u{0}",
        "a\u{7F}",
        "a\u{85}", "a\u{202E}b", String(repeating: "x", count: 201), String(repeating: "ü", count: 101),
    ])
    func `a name that shows nothing, is too long, or has control characters or signs of direction is none`(
        _ name: String
    ) {
        #expect(!FeedName.isValid(name) && !TopicName.isValid(name) && UserID(name) == nil)
    }

    @Test func `a feed that was named when other names were taken is still found`() {
        #expect(["a\u{85}", "a\u{202E}b", "posts", " a"].allSatisfy(FeedName.mayBeKnown))
        #expect(!["a\nb", "", " ", "\u{3000}"].contains(where: FeedName.mayBeKnown))
    }
}
