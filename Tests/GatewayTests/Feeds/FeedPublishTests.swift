import Gateway
import JSON
import Testing
import Transport

@Suite(.mayNotHang)
struct FeedPublishTests {
    @Test func `an item is told where it is, and once only under its id`() async throws {
        try await FeedServer.run { server in
            let first = try await server.publishItem(FeedServer.post("a"), to: "posts")
            #expect(first.status == 202)
            let epoch = try #require(try first.json.at(["epoch"])?.string)
            let stamp = try #require(try first.json.at(["publishedAt"])?.string)
            #expect(
                first.text == #"{"feed":"posts","epoch":"\#(epoch)","offset":1,"publishedAt":"\#(stamp)"}"#)
            let place = #"{"feed":"posts","epoch":"\#(epoch)","offset":1,"publishedAt":"\#(stamp)","replayed":true"#
            let again = try await server.publishItem(FeedServer.post("a"), to: "posts")
            #expect(again.text == place + "}")
            let other = try await server.publishItem(FeedServer.post("a", by: "renee@x.org"), to: "posts")
            #expect(other.text == place + #","differs":true}"#)
            let page = try await server.call("GET", "/v1/feeds/posts/items", as: "sarah").json
            let item = page.at(["data"])?.array?.first
            #expect(page.at(["data"])?.array?.count == 1)
            #expect(item?.at(["item", "author", "email"]) == "pete@x.org")
            #expect(item?.at(["publishedAt"]) == .string(stamp))
            #expect(item?.at(["item", "created_at"]) == .string(stamp))
        }
    }

    @Test func `an array is several items, all or none`() async throws {
        try await FeedServer.run { server in
            let many = "[" + (0..<1_000).map { FeedServer.post("\($0)") }.joined(separator: ",") + "]"
            let answer = try await server.publishItem(many, to: "posts")
            #expect(try answer.json.array?.count == 1_000)
            #expect(try answer.json.array?.last?.at(["offset"]) == 1_000)
            let bad = try await server.publishItem(#"[{"id":"x"},{"id":[]}]"#, to: "posts")
            #expect(bad.status == 422)
            #expect(try (bad.json.at(["code"]), bad.json.at(["pointer"])) == ("wrong_type", "/1/id"))
            let head = try await server.call("GET", "/v1/feeds/posts/items?limit=1", as: "sarah").json
            #expect(head.at(["meta", "offset"]) == 1_000)
            for body in ["[]", "[" + (0...1_000).map { "\($0)" }.joined(separator: ",") + "]"] {
                let refused = try await server.publishItem(body, to: "anything")
                #expect(try (refused.status, refused.json.at(["code"])) == (422, "invalid_value"))
            }
        }
    }

    @Test func `a feed that no catalog names is public, or is not there, as the settings say`() async throws {
        try await FeedServer.run { server in
            let published = try await server.publishItem("7", to: "elsewhere")
            #expect(published.status == 202)
            #expect(try await server.call("GET", "/v1/feeds/elsewhere/items", as: "sarah").status == 200)
        }
        try await FeedServer.run(undeclared: .refused) { server in
            let refused = try await server.publishItem("7", to: "postss")
            #expect(refused.status == 422)
            #expect(try refused.json.at(["code"]) == "unknown_feed")
            #expect(try refused.json.at(["detail"]) == #"no catalog names this feed; did you mean "posts"?"#)
            let read = try await server.call("GET", "/v1/feeds/postss/items", as: "sarah")
            #expect(try (read.status, read.json.at(["code"])) == (403, "feed_refused"))
        }
    }
}
