import Inbox
import Testing

struct FeedPatternTests {
    @Test(
        arguments: [
            ("posts", "posts", "posts"), ("posts", "post", nil), ("posts", "posts2", nil),
            ("query:*", "query:42", "42"), ("query:*", "query:", nil), ("query:*", "queries", nil),
            ("room:*:photos", "room:7:photos", "7"), ("room:*:photos", "room::photos", nil),
            ("room:*:photos", "room:photos", nil), ("*", "anything", "anything"),
            ("query:*", "query:für:alle", "für:alle"), ("\u{212A}", "K", nil),
        ] as [(String, String, String?)])
    func `a pattern tells what its star stands for`(_ pattern: String, _ feed: String, _ match: String?) {
        #expect(FeedPattern(pattern)?.match(feed) == match)
    }

    @Test(arguments: ["", "a*b*", "**"]) func `a text without a name, or with two stars, is no pattern`(_ text: String)
    {
        #expect(FeedPattern(text) == nil)
    }

    @Test(
        arguments: [
            ("posts", "posts", true), ("posts", "users", false), ("posts", "p*", true), ("posts", "q*", false),
            ("query:*", "query:4*", true), ("query:*", "*:own", true), ("a*", "b*", false), ("*a", "*b", false),
            ("a*z", "ab*yz", true), ("posts*", "posts", false),
        ])
    func `patterns overlap where one feed is of both shapes`(_ one: String, _ other: String, _ overlap: Bool) throws {
        let (one, other) = (try #require(FeedPattern(one)), try #require(FeedPattern(other)))
        #expect(one.overlaps(other) == overlap)
        #expect(other.overlaps(one) == overlap)
    }

    @Test func `a pattern is filled with what another one found`() throws {
        let found = try #require(FeedPattern("query:*")?.match("query:42"))
        #expect(FeedPattern("watchers-of-*")?.filled(with: found) == "watchers-of-42")
        #expect(FeedPattern("staff")?.filled(with: found) == "staff")
    }
}
