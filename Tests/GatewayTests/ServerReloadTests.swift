import Gateway
import JSON
import Testing
import Transport
import WireProtocol

/// Catalogs that are read again while a server runs.
@Suite(.mayNotHang)
struct ServerReloadTests {
    private static let greetings = """
        catalog: greetings
        events: {greeted: {routes: [{to: people, type: GREETED}]}}
        types: {GREETED: {text: "{{actor}} says {{word}}"}}

        """
    private static let event = """
        {"type": "greeted", "actor": {"id": "user-1", "firstName": "Pete"}, "to": {"people": ["sarah"]},
         "data": {"word": "hello"}}
        """

    /// A server with the rooms app's catalog and a folder that is empty.
    private func withServer(
        _ body: (TestServer, borrowing TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let server = try await TestServer { $0.catalogs.append(path) }
        async let _ = server.server.reloads.run()
        try await body(server, folder)
        await server.stop()
    }

    @Test func `another app's events are taken in after a reload, and the sessions stay`() async throws {
        try await withServer { server, folder in
            let session = try await server.session(of: "sarah")
            #expect(try await server.publish(Self.event).status == 422)
            try folder.file("greetings.yaml", Self.greetings)
            let answer = try await server.admin("POST", "/v1/reload")
            #expect(answer.status == 200)
            #expect(
                answer.text == #"{"catalogs":["greetings","rooms"],"changed":["greetings"],"removed":[]}"#)
            #expect(try await server.publish(Self.event).status == 202)
            let new = try await session.next("new")
            #expect(new.object["notification"]?.at(["displayText"]) == "Pete says hello")
        }
    }

    @Test func `a feed that a reload gives to a topic's members is no longer told to others who renew their token`()
        async throws
    {
        try await withServer { server, folder in
            let session = try await server.session(of: "sarah")
            session.send(.subscribe(feed: "news", after: nil))
            _ = try await session.next("feed")
            try folder.file(
                "feeds.yaml", "catalog: feeds\nevents: {}\ntypes: {}\nfeeds: {news: {access: {topic: readers}}}\n")
            #expect(try await server.admin("POST", "/v1/reload").status == 200)
            session.send(.token(try server.token("sarah")), id: "1")
            #expect(try await session.next("unsubscribed").object["feed"] == "news")
        }
    }

    private static func feed(_ name: String, length: Int) -> String {
        "catalog: feeds\nevents: {}\ntypes: {}\nfeeds: {\(name): {access: public, length: \(length)}}\n"
    }

    @Test func `a feed that ceases to keep its items has none to be read any more`() async throws {
        try await withServer { server, folder in
            _ = try await server.publishItem("1", to: "posts")
            let since = #"{"user_email":"a@x.org","last_viewed_posts":"2024-12-09T18:00:00Z"}"#
            for (length, posts, hasNew) in [(5, "[1]", true), (0, "[]", false)] {
                try folder.file("feeds.yaml", Self.feed("posts", length: length))
                #expect(try await server.admin("POST", "/v1/reload").status == 200)
                #expect(try await server.call("GET", "/api/posts/recent-tagged", as: "sarah").text == posts)
                let page = try await server.call("GET", "/v1/feeds/posts/items", as: "sarah").json
                #expect(page.at(["data"])?.array?.isEmpty == !hasNew)
                let poll = try await server.call("POST", "/api/notifications/poll", as: "sarah", body: since).json
                #expect(poll.at(["has_new_posts"]) == .bool(hasNew))
            }
        }
    }

    @Test func `only a reader whose feed ceases to keep its items is told to subscribe again`() async throws {
        try await withServer { server, folder in
            for number in 1...3 { _ = try await server.publishItem("\(number)", to: "news") }
            let session = try await server.session(of: "sarah")
            for feed in ["other", "news"] {
                session.send(.subscribe(feed: feed, after: nil))
                _ = try await session.next("feed")
            }
            try folder.file("feeds.yaml", Self.feed("news", length: 5))
            #expect(try await server.admin("POST", "/v1/reload").status == 200)
            for (length, offset) in [(0, 1), (5, 4)] as [(Int, Int64)] {
                try folder.file("feeds.yaml", Self.feed("news", length: length))
                #expect(try await server.admin("POST", "/v1/reload").status == 200)
                let end = try await session.next("unsubscribed")
                #expect((end.object["feed"], end.object["code"]) == ("news", "feed_changed"))
                session.send(.subscribe(feed: "news", after: nil))
                #expect(try await session.next("feed").object["offset"] == .int(offset - 1))
                _ = try await server.publishItem("4", to: "news")
                #expect(try await session.next("item").object["offset"] == .int(offset))
            }
            _ = try await server.publishItem("5", to: "other")
            #expect(try await session.next("item").object["feed"] == "other")
        }
    }

    @Test func `one broken catalog keeps all the old ones, and every mistake is told`() async throws {
        try await withServer { server, folder in
            let file = try folder.file("greetings.yaml", Self.greetings)
            _ = try await server.admin("POST", "/v1/reload")
            // This one would be good, but all of them hold or none.
            try folder.file("another.yaml", LoadedCatalogsTests.catalog("another", event: "another"))
            try folder.file("greetings.yaml", Self.greetings.replacing("text:", with: "txt:") + "tipes: {}\n")
            let answer = try await server.admin("POST", "/v1/reload")
            #expect(answer.status == 422)
            let json = try answer.json
            #expect(json.at(["code"]) == "files_refused")
            #expect(json.at(["catalogs"]) == ["greetings", "rooms"])
            let mistakes = try #require(json.at(["mistakes"])?.array)
            let first = try #require(mistakes.first { $0.at(["key"]) == "types.GREETED.txt" })
            #expect(first.at(["file"]) == .string(file))
            #expect(first.at(["line"]) == 3)
            #expect(first.at(["message"])?.string?.contains("text") == true)
            #expect(mistakes.contains { $0.at(["key"]) == "tipes" && $0.at(["line"]) == 4 })
            #expect(json.at(["detail"])?.string?.contains("\(file):3: types.GREETED.txt: ") == true)
            #expect(try await server.publish(Self.event).status == 202)
        }
    }

    @Test func `a catalog that is gone routes nothing any more`() async throws {
        try await withServer { server, folder in
            try folder.file("greetings.yaml", Self.greetings)
            _ = try await server.admin("POST", "/v1/reload")
            try folder.file("greetings.yaml", LoadedCatalogsTests.catalog("farewells", event: "parted"))
            let answer = try await server.admin("POST", "/v1/reload")
            #expect(
                answer.text
                    == #"{"catalogs":["farewells","rooms"],"changed":["farewells"],"removed":["greetings"]}"#)
            #expect(try await server.publish(Self.event).status == 422)
        }
    }

    @Test func `a kind of subject that a reload drops stays muted until it is taken back`() async throws {
        try await withServer { server, folder in
            let types = #"types: {GREETED: {subjects: {word: "{{word}}"}, "#
            try folder.file("greetings.yaml", Self.greetings.replacing("types: {GREETED: {", with: types))
            _ = try await server.admin("POST", "/v1/reload")
            let (settings, mute) = ("/v1/users/sarah/settings", "/api/notifications/mutes/word:hello")
            #expect(try await server.call("PUT", mute, as: "sarah").status == 200)
            #expect(try await server.publish(Self.event).json.at(["suppressed"]) == 1)
            try folder.file("greetings.yaml", Self.greetings)
            _ = try await server.admin("POST", "/v1/reload")
            let read = try await server.admin("GET", settings)
            let put = try await server.admin("PUT", settings, body: read.text)
            #expect((put.status, put.text) == (200, read.text))
            #expect(try await server.call("DELETE", mute, as: "sarah").status == 200)
            #expect(try await server.call("PUT", mute, as: "sarah").status == 422)
            #expect(try await server.admin("PUT", settings, body: read.text).status == 422)
        }
    }

    @Test func `the catalogs that hold are listed with their files`() async throws {
        try await withServer { server, folder in
            let file = try folder.file("greetings.yaml", Self.greetings)
            #expect(try await server.admin("GET", "/v1/catalogs").json.at(["catalogs"])?.array?.count == 1)
            _ = try await server.admin("POST", "/v1/reload")
            let catalogs = try await server.admin("GET", "/v1/catalogs").json.at(["catalogs"])?.array
            let listed: JSONValue = [
                "name": "greetings", "file": .string(file), "events": ["greeted"], "types": ["GREETED"],
            ]
            #expect(catalogs?.last == listed)
        }
    }
}
