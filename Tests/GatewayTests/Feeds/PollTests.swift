import Gateway
import JSON
import Testing
import Transport

/// `POST /api/notifications/poll`, byte for byte.
@Suite(.mayNotHang)
struct PollTests {
    private static let path = "/api/notifications/poll"
    /// Before everything that a test publishes, and after it.
    private static let (before, after) = ("2024-12-09T18:00:00Z", "2199-12-09T19:00:00.500+01:00")

    /// Pete's, who has seen nothing yet, with further members.
    private static func body(_ members: String) -> String {
        #"{"user_email":"pete@x.org","last_viewed_users":"\#(before)","last_viewed_posts":"\#(before)",\#(members)}"#
    }

    private func answer(_ badges: String = "", users: Bool = false, posts: Bool = false) -> String {
        #"{"query_badges":{\#(badges)},"has_new_users":\#(users),"has_new_posts":\#(posts)}"#
    }

    /// The answer to a person whose token has an address.
    private func poll(_ body: String, as user: String, on server: TestServer) async throws -> String {
        let claims: JSONObject = ["email": .string("\(user)@x.org"), "queries": ["1", "2"]]
        return try await server.call("POST", Self.path, as: user, claims: claims, body: body).text
    }

    @Test func `without anything new, and without anything asked, all is false`() async throws {
        try await FeedServer.run { server async throws in
            #expect(try await poll("{}", as: "pete", on: server) == answer())
            let all = Self.body(#""query_ids":[]"#)
            #expect(try await poll(all, as: "pete", on: server) == answer())
            let nulls =
                #"{"user_email":null,"query_ids":null,"last_viewed_users":"","last_viewed_posts":null,"more":1}"#
            #expect(try await poll(nulls, as: "pete", on: server) == answer())
        }
    }

    @Test func `new posts are those of others, and are told to callers who give an address`() async throws {
        try await FeedServer.run { server in
            _ = try await server.publishItem(FeedServer.post("a", by: "pete@x.org"), to: "posts")
            let since = #"{"user_email":"pete@x.org","last_viewed_posts":"\#(Self.before)"}"#
            #expect(try await poll(since, as: "pete", on: server) == answer())
            #expect(try await poll(since, as: "sarah", on: server) == answer(posts: true))
            _ = try await server.publishItem(FeedServer.post("b", by: "renee@x.org"), to: "posts")
            _ = try await server.publishItem(FeedServer.post("c", by: "pete@x.org"), to: "posts")
            #expect(try await poll(since, as: "pete", on: server) == answer(posts: true))
            let later = #"{"user_email":"pete@x.org","last_viewed_posts":"\#(Self.after)"}"#
            #expect(try await poll(later, as: "sarah", on: server) == answer())
            let nameless = #"{"last_viewed_posts":"\#(Self.before)"}"#
            #expect(try await poll(nameless, as: "sarah", on: server) == answer())
        }
    }

    @Test func `new users are all, the caller too, and are told to callers who give no address`() async throws {
        try await FeedServer.run { server in
            let since = #"{"last_viewed_users":"\#(Self.before)"}"#
            #expect(try await poll(since, as: "pete", on: server) == answer())
            let joined = try await server.publishItem(#"{"id":"pete","email":"pete@x.org"}"#, to: "users").json
            #expect(try await poll(since, as: "pete", on: server) == answer(users: true))
            // Strictly after: who has seen the newest has nothing new.
            let stamp = try #require(joined.at(["publishedAt"])?.string)
            #expect(try await poll(#"{"last_viewed_users":"\#(stamp)"}"#, as: "pete", on: server) == answer())
            _ = try await server.publishItem(#"{"id":"renee","email":"renee@x.org"}"#, to: "users")
            #expect(
                try await poll(#"{"last_viewed_users":"\#(stamp)"}"#, as: "pete", on: server) == answer(users: true))
        }
    }

    @Test func `a query's badge shows matches by others since it was viewed`() async throws {
        try await FeedServer.run { server in
            let body = #"{"user_email":"pete@x.org","query_ids":["2","1","3",2]}"#
            #expect(try await poll(body, as: "pete", on: server) == answer(#""2":false,"1":false,"3":false"#))
            for query in ["1", "3"] {
                _ = try await server.publishItem(FeedServer.post("a", by: "renee@x.org"), to: "query:\(query)")
            }
            _ = try await server.publishItem(FeedServer.post("b", by: "pete@x.org"), to: "query:2")
            // The token opens queries 1 and 2 only; what matched query 2 is the caller's own.
            #expect(try await poll(body, as: "pete", on: server) == answer(#""2":false,"1":true,"3":false"#))
            _ = try await server.admin("PUT", "/v1/users/pete/feeds/query:1/viewed")
            #expect(try await poll(body, as: "pete", on: server) == answer(#""2":false,"1":false,"3":false"#))
            _ = try await server.publishItem(FeedServer.post("c", by: "renee@x.org"), to: "query:1")
            #expect(try await poll(body, as: "pete", on: server) == answer(#""2":false,"1":true,"3":false"#))
            let viewed = try await server.call(
                "PUT", "/v1/feeds/query:1/viewed", as: "pete", claims: ["queries": ["1"]])
            #expect(viewed.status == 200)
            #expect(try await poll(body, as: "pete", on: server) == answer(#""2":false,"1":false,"3":false"#))
            #expect(try await poll(#"{"query_ids":["1"]}"#, as: "pete", on: server) == answer())
        }
    }

    @Test func `a token's person is the caller, whatever address the body gives`() async throws {
        try await FeedServer.run { server in
            _ = try await server.publishItem(FeedServer.post("a", by: "pete@x.org"), to: "posts")
            let asPete = #"{"user_email":"pete@x.org","last_viewed_posts":"\#(Self.before)"}"#
            let asSarah = #"{"user_email":"sarah@x.org","last_viewed_posts":"\#(Self.before)"}"#
            #expect(try await poll(asPete, as: "sarah", on: server) == answer(posts: true))
            #expect(try await poll(asSarah, as: "pete", on: server) == answer())
        }
    }

    @Test func `the address of a person's profile is theirs`() async throws {
        try await FeedServer.run { server in
            #expect(try await server.admin("PUT", "/v1/users/pete", body: #"{"email":"Pete@X.org"}"#).status < 300)
            _ = try await server.publishItem(FeedServer.post("a", by: "pete@x.org"), to: "posts")
            let since = #"{"user_email":"pete@x.org","last_viewed_posts":"\#(Self.before)"}"#
            #expect(try await server.call("POST", Self.path, as: "pete", body: since).text == answer())
            #expect(try await server.call("POST", Self.path, as: "sarah", body: since).text == answer(posts: true))
        }
    }

    @Test func `without a token nobody is answered, unless the settings believe addresses`() async throws {
        let body = Self.body(#""query_ids":["1"]"#)
        try await FeedServer.run { server in
            let refused = try await server.callWithoutToken("POST", Self.path, body: body)
            #expect(try (refused.status, refused.json.at(["code"])) == (401, "missing_token"))
        }
        try await FeedServer.run(pollsWithoutToken: true) { server in
            _ = try await server.publishItem(FeedServer.post("a", by: "pete@x.org"), to: "posts")
            _ = try await server.publishItem(FeedServer.post("a", by: "renee@x.org"), to: "query:1")
            let own = try await server.callWithoutToken("POST", Self.path, body: body)
            #expect(own.text == answer(#""1":true"#))
            let others = try await server.callWithoutToken(
                "POST", Self.path, body: body.replacing("pete@", with: "sarah@"))
            #expect(others.text == answer(#""1":true"#, posts: true))
            // A token wins where there is one.
            #expect(try await poll(body, as: "sarah", on: server) == answer(#""1":true"#, posts: true))
        }
    }
}
