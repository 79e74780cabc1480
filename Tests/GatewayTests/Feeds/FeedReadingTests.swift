import JSON
import Testing
import Transport

@Suite(.mayNotHang)
struct FeedReadingTests {
    private func offsets(_ page: JSONValue) -> [Int64] {
        page.at(["data"])?.array?.compactMap { $0.at(["offset"])?.int } ?? []
    }

    private func publish(_ count: Int, to feed: String, on server: TestServer) async throws {
        let items = (1...count).map { #"{"number":\#($0),"tags":["\#($0 % 2 == 0 ? "even" : "odd")"]}"# }
        _ = try await server.publishItem("[" + items.joined(separator: ",") + "]", to: feed)
    }

    private func epoch(of feed: String, on server: TestServer) async throws -> String {
        let page = try await server.call("GET", "/v1/feeds/\(feed)/items", as: "sarah").json
        return try #require(page.at(["meta", "epoch"])?.string)
    }

    @Test(arguments: ["", "&epoch=", "&epoch=elsewhere"])
    func `an offset without the feed's epoch is no known place, also in a feed without items`(
        _ epoch: String
    ) async throws {
        try await FeedServer.run { server in
            let path = "/v1/feeds/posts/items?after=0\(epoch)"
            let empty = try await server.call("GET", path, as: "sarah").json
            #expect(empty.at(["meta", "recovered"]) == false)
            let known = try await self.epoch(of: "posts", on: server)
            #expect(!known.isEmpty)
            try await publish(2, to: "posts", on: server)
            #expect(try await self.epoch(of: "posts", on: server) == known)
            let page = try await server.call("GET", path, as: "sarah").json
            #expect((offsets(page), page.at(["meta", "recovered"])) == ([1, 2], false))
            let marked = try await server.call(
                "PUT", "/v1/feeds/posts/viewed", as: "sarah", body: #"{"offset":1,"epoch":"elsewhere"}"#)
            #expect(try (marked.status, marked.json.at(["code"])) == (409, "other_epoch"))
            let bare = try await server.call("PUT", "/v1/feeds/posts/viewed", as: "sarah", body: #"{"offset":1}"#)
            #expect(try (bare.status, bare.json.at(["code"])) == (400, "missing_field"))
        }
    }

    @Test func `readers who come back page on from where they were, and miss nothing`() async throws {
        try await FeedServer.run { server in
            try await publish(250, to: "posts", on: server)
            var (place, found): (Int64, [Int64]) = (3, [])
            let epoch = try await epoch(of: "posts", on: server)
            while true {
                let page = try await server.call(
                    "GET", "/v1/feeds/posts/items?after=\(place)&epoch=\(epoch)", as: "sarah"
                ).json
                #expect(page.at(["meta", "recovered"]) == true)
                found += offsets(page)
                place = try #require(page.at(["meta", "next"])?.int)
                if page.at(["meta", "isComplete"]) == true { break }
                #expect(page.at(["data"])?.array?.count == 100)
            }
            #expect(found == Array(4...250))
        }
    }

    @Test func `a first load begins with the newest and goes back`() async throws {
        try await FeedServer.run { server in
            try await publish(7, to: "posts", on: server)
            let epoch = try await epoch(of: "posts", on: server)
            let first = try await server.call("GET", "/v1/feeds/posts/items?limit=3", as: "sarah").json
            #expect((offsets(first), first.at(["meta", "prev"]), first.at(["meta", "next"])) == ([5, 6, 7], 5, 7))
            let second = try await server.call("GET", "/v1/feeds/posts/items?limit=3&before=5", as: "sarah").json
            #expect((offsets(second), second.at(["meta", "prev"]), second.at(["meta", "next"])) == ([2, 3, 4], 2, 4))
            let third = try await server.call("GET", "/v1/feeds/posts/items?limit=3&before=2", as: "sarah").json
            #expect((offsets(third), third.at(["meta", "prev"])) == ([1], .null))
            let lost = try await server.call("GET", "/v1/feeds/posts/items?limit=3&after=2&epoch=x", as: "sarah").json
            #expect((offsets(lost), lost.at(["meta", "recovered"])) == ([5, 6, 7], false))
            let even = try await server.call(
                "GET", "/v1/feeds/posts/items?after=1&epoch=\(epoch)&limit=2&tags=even,x", as: "sarah"
            )
            .json
            #expect(
                (offsets(even), even.at(["meta", "next"]), even.at(["meta", "isComplete"])) == ([2, 4], 4, false))
        }
    }

    @Test func `a feed is read by whom its rule names`() async throws {
        try await FeedServer.run { server in
            _ = try await server.publishItem("7", to: "query:1")
            _ = try await server.publishItem(#"{"n":8}"#, to: "room:1")
            for path in ["items", "viewed"] {
                let query = "/v1/feeds/query:1/\(path)"
                let room = "/v1/feeds/room:1/\(path)"
                #expect(try await server.callWithoutToken("GET", query).status == 401)
                let refused = try await server.call("GET", query, as: "sarah", claims: ["queries": ["2"]])
                #expect(try (refused.status, refused.json.at(["code"])) == (403, "feed_refused"))
                #expect(
                    try await server.call("GET", query, as: "sarah", claims: ["queries": ["2", "1"]]).status == 200)
                #expect(try await server.call("GET", room, as: "sarah").status == 403)
                try await server.change("sarah", in: "room:1", isMember: true)
                #expect(try await server.call("GET", room, as: "sarah").status == 200)
                #expect(try await server.call("GET", room, as: "pete").status == 403)
                try await server.change("sarah", in: "room:1", isMember: false)
                #expect(try await server.call("GET", room, as: "sarah").status == 403)
            }
            #expect(try await server.call("PUT", "/v1/feeds/room:1/viewed", as: "sarah").status == 403)
        }
    }

    @Test func `a mark is moved by the person or by the backend, and tells what is newer`() async throws {
        try await FeedServer.run { server in
            try await publish(5, to: "posts", on: server)
            let epoch = try await epoch(of: "posts", on: server)
            func told(_ viewed: Int, _ newer: Int) -> String {
                #"{"data":{"feed":"posts","epoch":"\#(epoch)","viewed":\#(viewed),"offset":5,"newer":\#(newer)}}"#
            }
            let path = "/v1/feeds/posts/viewed"
            let backend = "/v1/users/sarah/feeds/posts/viewed"
            #expect(try await server.call("GET", path, as: "sarah").text == told(0, 5))
            #expect(
                try await server.call("PUT", path, as: "sarah", body: #"{"offset":2,"epoch":"\#(epoch)"}"#).text
                    == told(2, 3))
            #expect(
                try await server.admin("PUT", backend, body: #"{"epoch":"\#(epoch)","offset":4}"#).text == told(4, 1))
            #expect(
                try await server.call("PUT", path, as: "sarah", body: #"{"time":"2020-01-01T00:00:00Z"}"#).text
                    == told(4, 1))
            #expect(try await server.call("PUT", path, as: "sarah").text == told(5, 0))
            #expect(try await server.admin("GET", backend).text == told(5, 0))
            #expect(try await server.call("GET", path, as: "pete").text == told(0, 5))
            for body in [
                #"{"offset":-1}"#, #"{"time":"today"}"#, #"{"offset":1,"time":"2020-01-01T00:00:00Z"}"#,
                #"{"place":1}"#,
            ] {
                #expect(try await server.call("PUT", path, as: "sarah", body: body).status == 400)
            }
        }
    }
}
