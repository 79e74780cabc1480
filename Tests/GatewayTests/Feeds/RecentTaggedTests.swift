import Gateway
import JSON
import Support
import Testing
import Transport

/// `GET /api/posts/recent-tagged`, and the app's own way of going on from what it has.
@Suite(.mayNotHang)
struct RecentTaggedTests {
    private static let path = "/api/posts/recent-tagged"

    /// The app's incremental fetch as it is. It asks for posts after the time of its newest one, and skips known ids.
    private struct Client {
        private(set) var posts: [JSONValue] = []
        private var latest: String?
        /// How often the server told a post that the client had.
        private(set) var repeats = 0

        init(_ first: [JSONValue]) {
            posts = first
            latest = first.first?.at(["created_at"])?.string
        }

        var path: String { RecentTaggedTests.path + "?tags=post" + (latest.map { "&after=\($0)" } ?? "") }
        var ids: [String] { posts.compactMap { $0.at(["id"])?.string } }

        mutating func fetched(_ newPosts: [JSONValue]) {
            let known = Set(ids)
            let trulyNew = newPosts.filter { !known.contains($0.at(["id"])?.string ?? "") }
            repeats += newPosts.count - trulyNew.count
            guard let first = trulyNew.first else { return }
            posts = trulyNew + posts
            latest = first.at(["created_at"])?.string
        }
    }

    private func get(_ path: String, on server: TestServer) async throws -> [JSONValue] {
        let answer = try await server.call("GET", path, as: "sarah")
        #expect(answer.status == 200)
        return try #require(try answer.json.array)
    }

    private func ids(_ posts: [JSONValue]) -> [JSONValue?] { posts.map { $0.at(["id"]) } }

    @Test func `posts are told newest first, as they were published, in a bare array`() async throws {
        try await FeedServer.run { server in
            let empty = try await server.call("GET", Self.path, as: "sarah")
            #expect(empty.text == "[]")
            let posts = [
                FeedServer.post("a"), FeedServer.post("b", tags: ["poll"]), FeedServer.post("c", tags: ["x", "post"]),
            ]
            let receipts = try await server.publishItem(
                "[\(posts.joined(separator: ","))]",
                to: "posts"
            ).json
            let stamps = try #require(receipts.array).compactMap { $0.at(["publishedAt"])?.string }
            let expected = FeedServer.post("a").replacing("2024-12-09T18:00:00Z", with: stamps[0])
            let all = try await server.call("GET", Self.path, as: "sarah")
            #expect(all.text.hasPrefix(#"[{"id":"c","#) && all.text.hasSuffix(",\(expected)]"))
            #expect(try await ids(get(Self.path + "?tags=post", on: server)) == ["c", "a"])
            #expect(try await ids(get(Self.path + "?tags=poll,none", on: server)) == ["b"])
            #expect(try await ids(get(Self.path + "?limit=2", on: server)) == ["c", "b"])
        }
    }

    @Test func `after is exact, though all items came in one millisecond`() async throws {
        try await FeedServer.run { server in
            let items = (0..<5).map { FeedServer.post("\($0)") }.joined(separator: ",")
            _ = try await server.publishItem("[\(items)]", to: "posts")
            let posts = try await get(Self.path, on: server)
            for (index, post) in posts.enumerated() {
                let stamp = try #require(post.at(["created_at"])?.string)
                let newer = try await get(Self.path + "?after=\(stamp)", on: server)
                #expect(ids(newer) == ids(Array(posts[..<index])))
                // The same moment, as others write it; a + that was not escaped comes as a space.
                let zoned = stamp.replacing("Z", with: "+00:00")
                #expect(try await get(Self.path + "?after=\(zoned)", on: server).count == index)
            }
            // A client that missed more than fits gets the oldest of it, and goes on from there.
            let stamp = try #require(posts.last?.at(["created_at"])?.string)
            #expect(try await ids(get(Self.path + "?after=\(stamp)&limit=2", on: server)) == ["2", "1"])
            let refused = try await server.call("GET", Self.path + "?after=today", as: "sarah")
            #expect(try (refused.status, refused.json.at(["code"])) == (400, "invalid_parameter"))
        }
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `the app's own fetch sees every post once, while several publish at the same time`(seed: UInt64) async throws {
        try await FeedServer.run { server in
            _ = try await server.publishItem(FeedServer.post("first"), to: "posts")
            var client = Client(try await get(Self.path + "?tags=post", on: server))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for publisher in 0..<3 {
                    group.addTask {
                        var random = SeededRandom(seed: seed * 10 + UInt64(publisher))
                        for round in 0..<8 {
                            let posts = (0...random.next(below: 6)).map { number in
                                FeedServer.post(
                                    "\(publisher)-\(round)-\(number)",
                                    tags: [random.next(below: 4) == 0 ? "note" : "post"])
                            }
                            _ = try await server.publishItem("[\(posts.joined(separator: ","))]", to: "posts")
                        }
                    }
                }
                for _ in 0..<20 { client.fetched(try await get(client.path, on: server)) }
                try await group.waitForAll()
            }
            // As often as a fetch of three at a time may take.
            for _ in 0..<50 { client.fetched(try await get(client.path + "&limit=3", on: server)) }
            #expect(try await get(client.path, on: server).isEmpty)
            let published = try await get(Self.path + "?tags=post&limit=500", on: server)
            #expect(client.ids == published.compactMap { $0.at(["id"])?.string })
            #expect(client.repeats == 0)
            #expect(published.count > 20)
        }
    }

    @Test func `without a token nobody is answered, unless the settings allow it`() async throws {
        try await FeedServer.run { server in
            let answer = try await server.callWithoutToken("GET", Self.path)
            #expect(answer.status == 401)
        }
        try await FeedServer.run(pollsWithoutToken: true) { server in
            let answer = try await server.callWithoutToken("GET", Self.path)
            #expect(answer.text == "[]")
        }
    }
}
