import Foundation
import Gateway
import JSON
import Testing
import Transport
import WireProtocol

struct TrailRouteTests {
    private func withServer(_ body: (TestServer) async throws -> Void) async throws {
        let server = try await TestServer()
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        await server.stop()
        try result.get()
    }

    private func event(_ response: HTTPClientResponse) throws -> String {
        try #require(try response.json.at(["event"])?.string)
    }

    private static let followed = #"""
        {"type": "user_followed", "key": "follow-1", "actor": {"id": "pete", "username": "pete", "firstName": "Pete"},
         "to": {"followed": ["sarah"]}, "data": {"isFollowingBack": false}}
        """#

    // MARK: Trail

    @Test("the trail tells of an event who got it, and what became of it")
    func trail() async throws {
        try await withServer { server in
            let session = try await server.session(of: "sarah")
            let event = try event(try await server.publish(RoomsEvent.liked(to: "sarah", key: "like-1")))
            _ = try await session.next("new")
            let answer = try await server.admin("GET", "/v1/trail/\(event)")
            #expect(answer.status == 200)
            let json = try answer.json
            #expect(json.at(["event", "id"])?.string == event)
            #expect(json.at(["event", "key"])?.string == "like-1")
            #expect(json.at(["summary", "processed"]) == true)
            #expect(json.at(["summary", "created"]) == 1)
            #expect(json.at(["summary", "live"]) == 1)
            let recipients = try #require(json.at(["recipients"])?.array)
            #expect(recipients.count == 1)
            #expect(recipients.first?.at(["user"]) == "sarah")
            #expect(recipients.first?.at(["decision"]) == "created")
            #expect(recipients.first?.at(["push", "decision"]) == "noDevice")
            let byKey = try await server.admin("GET", "/v1/trail?key=like-1&user=sarah").json
            #expect(byKey.at(["event", "id"])?.string == event)
            #expect(byKey.at(["devices"])?.array == [])
            let personal = try await server.admin("GET", "/v1/users/sarah/trail").json
            #expect(personal.at(["entries"])?.array?.first?.at(["event", "id"])?.string == event)
            session.close()
        }
    }

    @Test("an unknown event or key is told with the name that was looked for")
    func unknown() async throws {
        try await withServer { server in
            let event = try await server.admin("GET", "/v1/trail/evt_none")
            #expect((event.status, try event.json.at(["code"])) == (404, "unknown_event"))
            #expect(try event.json.at(["detail"])?.string?.contains("evt_none") == true)
            let key = try await server.admin("DELETE", "/v1/events/nobodys-key")
            #expect((key.status, try key.json.at(["code"])) == (404, "unknown_event"))
            #expect(try key.json.at(["detail"])?.string?.contains("nobodys-key") == true)
            #expect(try await server.admin("GET", "/v1/users/nobody/trail").status == 404)
            #expect(try await server.admin("GET", "/v1/trail").status == 400)
            #expect(try await server.admin("GET", "/v1/trail/evt_none?limit=0").status == 400)
        }
    }

    // MARK: Dry run

    @Test("a dry run tells what publishing would do, and does nothing")
    func dryRun() async throws {
        try await withServer { server in
            let rehearsed = try await server.admin(
                "POST", "/v1/events?dryRun=true", body: RoomsEvent.liked(to: "sarah", key: "like-1"))
            #expect(rehearsed.status == 200)
            let json = try rehearsed.json
            #expect((json.at(["dryRun"]), json.at(["created"])) == (true, 1))
            let recipient = try #require(json.at(["recipients"])?.array?.first)
            #expect(recipient.at(["user"]) == "sarah")
            #expect(recipient.at(["type"]) == "ROOM_LIKE")
            #expect(recipient.at(["displayText"])?.string?.contains("Italy Trip") == true)
            #expect(recipient.at(["pushContent", "body"]) != nil)
            let list = try await server.call("GET", "/api/notifications", as: "sarah").json
            #expect(list.at(["meta", "totalCount"]) == 0)
            // The key is free still.
            let published = try await server.publish(RoomsEvent.liked(to: "sarah", key: "like-1")).json
            #expect((published.at(["created"]), published.at(["replayed"])) == (1, nil))
            #expect(try await server.admin("POST", "/v1/events?dryRun=maybe", body: "{}").status == 400)
            let event = RoomsEvent.liked(to: "tom")
            let misspelt = try await server.admin("POST", "/v1/events?dry_run=true", body: event)
            #expect(misspelt.status == 400)
            #expect(try misspelt.json.at(["code"]) == "invalid_parameter")
            #expect(try await server.call("GET", "/api/notifications", as: "tom").json.at(["meta", "totalCount"]) == 0)
            let refused = try await server.admin("POST", "/v1/events?dryRun=true", body: #"{"type": "room_like"}"#)
            #expect(refused.status == 422)
        }
    }

    // MARK: Retract

    @Test("a notification that is taken back goes from the list and from open sessions")
    func retract() async throws {
        try await withServer { server in
            let session = try await server.session(of: "sarah")
            let event = try event(try await server.publish(RoomsEvent.liked(to: "sarah", key: "like/1")))
            _ = try await session.next("new")
            let answer = try await server.admin("DELETE", "/v1/events/like%2F1")
            #expect(answer.status == 200)
            #expect(
                answer.text == #"{"event":"\#(event)","removed":1,"updated":0,"pushesCancelled":0}"#)
            let removed = try await session.next("removed")
            #expect(String(decoding: removed.json, as: UTF8.self).contains(#""unread":0"#))
            #expect(
                try await server.admin("DELETE", "/v1/events/like%2F1").text
                    == #"{"event":"\#(event)","removed":0,"updated":0,"pushesCancelled":0}"#)
            let again = try await server.publish(RoomsEvent.liked(to: "sarah", key: "like/1")).json
            #expect(again.at(["created"]) == 1)
            session.close()
        }
    }

    // MARK: Patch

    @Test("a live field reaches open sessions as an update, and the list")
    func patch() async throws {
        try await withServer { server in
            let session = try await server.session(of: "sarah")
            #expect(try await server.publish(Self.followed).status == 202)
            _ = try await session.next("new")
            let path = "/v1/notifications?type=USER_FOLLOWED&user=sarah&actor=pete"
            let answer = try await server.admin("PATCH", path, body: #"{"isFollowingBack": true}"#)
            #expect((answer.status, answer.text) == (200, #"{"updated":1}"#))
            let update = try await session.next("update")
            let text = String(decoding: update.json, as: UTF8.self)
            #expect(text.contains(#""isFollowingBack":true"#))
            #expect(text.contains(#""rev":2"#))
            #expect(text.contains(#""unread":1"#))
            let list = try await server.call("GET", "/api/notifications", as: "sarah").json
            #expect(list.at(["data"])?.array?.first?.at(["isFollowingBack"]) == true)
            session.close()
        }
    }

    @Test(
        "a patch that names no live field, no type or nobody is refused with what was expected",
        arguments: [
            ("?type=USER_FOLLOWED&user=sarah&actor=pete", #"{"isFollowingBac": true}"#, 422, "isFollowingBack"),
            ("?type=USER_FOLLOWED&user=sarah&actor=pete", #"{"displayText": "x"}"#, 422, "displayText"),
            ("?type=USER_FOLOWED&user=sarah&actor=pete", #"{"isFollowingBack": true}"#, 422, "USER_FOLLOWED"),
            ("?type=USER_FOLLOWED&user=sarah", #"{"isFollowingBack": true}"#, 400, "actor="),
            ("?type=USER_FOLLOWED&actor=pete", #"{"isFollowingBack": true}"#, 400, "user="),
            ("?type=USER_FOLLOWED&user=sarah&acter=pete", #"{"isFollowingBack": true}"#, 400, "acter"),
            ("?type=USER_FOLLOWED&user=sarah&actor=pete", #"{}"#, 400, "member"),
        ])
    func badPatch(_ query: String, _ body: String, _ status: Int, _ word: String) async throws {
        try await withServer { server in
            let answer = try await server.admin("PATCH", "/v1/notifications\(query)", body: body)
            #expect(answer.status == status)
            #expect(try answer.json.at(["detail"])?.string?.contains(word) == true)
        }
    }

    // MARK: Names

    @Test("events' names stand in the order of time")
    func names() async throws {
        try await withServer { server in
            var names: [String] = []
            for _ in 0..<3 {
                names.append(try event(try await server.publish(RoomsEvent.liked(to: "sarah"))))
            }
            #expect(names.allSatisfy { $0.hasPrefix("evt_0") && $0.utf8.count == 34 })
            #expect(Set(names.map { $0.prefix(8) }).count == 1)
        }
    }
}
