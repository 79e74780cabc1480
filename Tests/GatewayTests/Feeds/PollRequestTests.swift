import Testing
import WireProtocol

@testable import Gateway

struct PollRequestTests {
    @Test(
        arguments: [
            ("[]", nil), (#"{"user_email":7}"#, "/user_email"), (#"{"query_ids":"1"}"#, "/query_ids"),
            (#"{"query_ids":[true]}"#, "/query_ids"), (#"{"last_viewed_posts":"yesterday"}"#, "/last_viewed_posts"),
            (#"{"last_viewed_users":5}"#, "/last_viewed_users"),
        ] as [(String, String?)])
    func `a senseless request is refused with its place`(_ body: String, _ pointer: String?) throws {
        let refused = try #require(problem { () throws(Problem) in _ = try PollRequest(Array(body.utf8)) })
        #expect((refused.status, refused.pointer) == (400, pointer))
    }

    @Test func `only feeds that the answer needs are looked at`() throws {
        let time = #""last_viewed_users":"2024-12-09T18:00:00Z","last_viewed_posts":"2024-12-09T18:00:00.123456Z""#
        let nameless = try PollRequest(Array(#"{\#(time),"query_ids":["1"]}"#.utf8))
        #expect(nameless.feeds == ["users"])
        let named = try PollRequest(Array(#"{"user_email":"p@x.org",\#(time),"query_ids":[7,"7","a"]}"#.utf8))
        #expect(named.feeds == ["users", "posts", "query:7", "query:a"])
    }
}
