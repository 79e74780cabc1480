import Foundation
import Gateway
import JSON
import Testing
import Transport
import WireProtocol

/// Lists that show notifications of one group as one line, over real sockets.
@Suite(.mayNotHang)
struct GroupListTests {
    private static let golf = """
        catalog: golf
        actor: [id, firstName]
        events:
          requested: {routes: [{to: host, type: ROUND_REQUEST}]}
          followed: {routes: [{to: followed, type: NEW_FOLLOWER}]}
        types:
          ROUND_REQUEST:
            category: requests
            text: "{{actor}} requested to join"
            group: "requests:{{round}}"
            groupText: "{{count}} new round requests"
          NEW_FOLLOWER: {category: social, text: "{{actor}} follows you"}

        """

    private func withServer(_ body: (TestServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("golf.yaml", Self.golf)
        let server = try await TestServer { $0.catalogs = [file] }
        for (type, list, actor, round) in [
            ("requested", "host", "Ann", "7"), ("followed", "followed", "Bea", ""), ("requested", "host", "Cy", "7"),
            ("requested", "host", "Dan", "9"), ("requested", "host", "Eve", "7"),
        ] {
            let answer = try await server.publish(
                """
                {"type": "\(type)", "actor": {"id": "\(actor)", "firstName": "\(actor)"}, "to": {"\(list)": ["hal"]},
                 "data": {"round": "\(round)"}}
                """)
            #expect(answer.status == 202)
        }
        try await body(server)
        await server.stop()
    }

    private func actors(_ list: JSONValue?) -> [String] {
        (list?.array ?? []).compactMap { $0.at(["actor", "firstName"])?.string }
    }

    @Test func `one line a group, the newest first; the rest stands alone`() async throws {
        try await withServer { server in
            let answer = try await server.call("GET", "/api/notifications/groups", as: "hal")
            let lines = try #require(try answer.json.at(["data"])?.array)
            #expect(lines.map { $0.at(["group"]) } == ["requests:7", "requests:9", .null])
            #expect(
                lines.map { $0.at(["text"]) } == ["3 new round requests", "1 new round requests", "Bea follows you"])
            #expect(lines.map { $0.at(["count"]) } == [3, 1, 1])
            #expect(lines.map { $0.at(["unreadCount"]) } == [3, 1, 1])
            #expect(lines.map { $0.at(["latest", "actor", "firstName"]) } == ["Eve", "Dan", "Bea"])
            let meta = try #require(try answer.json.at(["meta"])?.object)
            #expect(meta.keys == ["limit", "hasMore", "epoch", "seq", "unread", "unseen"])
            #expect((meta["limit"], meta["hasMore"], meta["seq"], meta["unread"]) == (20, false, 5, 5))
            let epoch = try #require(meta["epoch"]?.string)
            #expect(answer.header("etag") == "\"\(epoch).5\"")
            let again = try await server.call(
                "GET", "/api/notifications/groups", as: "hal", headers: [("If-None-Match", "\"\(epoch).5\"")])
            #expect(again.status == 304)
            let first = try await server.call("GET", "/api/notifications/groups?limit=1", as: "hal").json
            #expect(first.at(["data"])?.array?.count == 1)
            #expect(first.at(["meta", "hasMore"]) == true)
        }
    }

    @Test func `a line expands to its notifications, in pages, and is read as a whole on all sessions`() async throws {
        try await withServer { server in
            let path = "/api/notifications?group=requests%3A7"
            let items = try await server.call("GET", path, as: "hal").json
            #expect(actors(items.at(["data"])) == ["Eve", "Cy", "Ann"])
            #expect(items.at(["meta", "totalCount"]) == 3)
            #expect(
                actors(try await server.call("GET", "\(path)&limit=2&page=1", as: "hal").json.at(["data"])) == [
                    "Eve", "Cy",
                ])
            let last = try await server.call("GET", "\(path)&limit=2&page=2", as: "hal").json
            #expect(actors(last.at(["data"])) == ["Ann"])
            #expect(last.at(["meta", "hasNextPage"]) == false)
            let session = try await server.session(of: "hal")
            let read = try await server.call(
                "PUT", "/api/notifications/read", as: "hal", body: #"{"group":"requests:7"}"#)
            #expect(read.text == #"{"data":{"message":"Notifications marked as read","count":3,"unreadCount":2}}"#)
            let frame = try await session.next("read")
            let ids = try #require(items.at(["data"])?.array).map { $0.at(["id"]) ?? .null }
            #expect(frame.object["ids"] == .array(ids))
            #expect((frame.unread, frame.object["delta"]) == (2, -3))
            let lines = try await server.call("GET", "/api/notifications/groups", as: "hal").json.at(["data"])?.array
            #expect(lines?.first?.at(["unreadCount"]) == 0)
            #expect(lines?.first?.at(["text"]) == "3 new round requests")
        }
    }

    @Test func `a list can be of what is unread, of a type or of a category`() async throws {
        try await withServer { server in
            _ = try await server.call("PUT", "/api/notifications/read", as: "hal", body: #"{"group":"requests:7"}"#)
            for (query, names) in [
                ("unread=true", ["Dan", "Bea"]), ("type=NEW_FOLLOWER", ["Bea"]),
                ("category=requests", ["Eve", "Dan", "Cy", "Ann"]),
                ("category=requests&unread=true", ["Dan"]), ("type=UNKNOWN", []),
            ] {
                let answer = try await server.call("GET", "/api/notifications?\(query)", as: "hal")
                #expect(actors(try answer.json.at(["data"])) == names, "\(query)")
                // The catalogs define a category, and they change without the inbox.
                #expect((answer.header("etag") == nil) == query.hasPrefix("category"), "\(query)")
            }
            for (body, code) in [
                (#"{"group":7}"#, "wrong_type"), (#"{"group":"a","notificationIds":[]}"#, "invalid_value"),
                ("{}", "missing_field"),
            ] {
                let answer = try await server.call("PUT", "/api/notifications/read", as: "hal", body: body)
                #expect(answer.status == 400)
                #expect(try answer.json.at(["code"]) == .string(code))
            }
        }
    }
}
