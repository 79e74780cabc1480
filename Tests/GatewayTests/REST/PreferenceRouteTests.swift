import Foundation
import Gateway
import Inbox
import JSON
import Testing
import Transport
import WireProtocol

/// People's choices over HTTP, and their effect.
@Suite(.mayNotHang)
struct PreferenceRouteTests {
    private static let base = "/api/notifications/"

    private func call(
        _ server: TestServer, _ method: String, _ path: String, _ body: String = "",
        headers: [(String, String)] = []
    ) async throws -> HTTPClientResponse {
        try await server.call(method, Self.base + path, as: "sarah", body: body, headers: headers)
    }

    private func type(_ name: String, in response: HTTPClientResponse) throws -> JSONValue {
        let types = try #require(try response.json.at(["data", "types"])?.array)
        return try #require(types.first { $0.at(["name"]) == .string(name) })
    }

    // MARK: Preferences

    @Test func `all types are listed with the app's default and what holds for the person`() async throws {
        let server = try await TestServer()
        let usual = try await call(server, "GET", "preferences")
        #expect(usual.status == 200)
        let names = Set(
            try #require(try usual.json.at(["data", "types"])?.array).compactMap { $0.at(["name"])?.string })
        #expect(names == Set(server.server.node.currentCatalogs.catalogs.flatMap(\.typeNames)))
        let before = try type("ROOM_LIKE", in: usual)
        #expect(before.at(["catalog"]) == "rooms")
        #expect((before.at(["choice"]), before.at(["effective"])) == ([:], ["inApp": true, "push": true]))
        let after = try await call(server, "PUT", "preferences", #"{"types": {"ROOM_LIKE": {"push": false}}}"#)
        #expect(after.status == 200)
        #expect(try after.json.at(["data", "rev"]) == 1)
        let chosen = try type("ROOM_LIKE", in: after)
        #expect(chosen.at(["choice"]) == ["push": false])
        #expect(chosen.at(["effective"]) == ["inApp": true, "push": false])
        let back = try await call(server, "PUT", "preferences", #"{"types": {"ROOM_LIKE": null}}"#)
        #expect(try type("ROOM_LIKE", in: back) == before)
        await server.stop()
    }

    @Test func `a type that is switched off does not come`() async throws {
        let server = try await TestServer()
        _ = try await call(server, "PUT", "preferences", #"{"types": {"ROOM_LIKE": {"inApp": false}}}"#)
        let answer = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect((try answer.json.at(["created"]), try answer.json.at(["suppressed"])) == (0, 1))
        await server.stop()
    }

    @Test(
        arguments: [
            (#"{"types": {"ROOM_LIKES": {"push": false}}}"#, 422, "unknown_notification_type", "/types/ROOM_LIKES"),
            (#"{"categories": {"rom": {"push": false}}}"#, 422, "unknown_category", "/categories/rom"),
            (#"{"types": {"ROOM_LIKE": {"sms": false}}}"#, 422, "unknown_field", "/types/ROOM_LIKE/sms"),
            (#"{"types": "#, 400, "invalid_json", nil),
        ] as [(String, Int, String, String?)])
    func `a mistake is told with its place, and changes nothing`(
        body: String, status: Int, code: String, pointer: String?
    ) async throws {
        let server = try await TestServer()
        let answer = try await call(server, "PUT", "preferences", body)
        #expect((answer.status, try answer.json.at(["code"])?.string) == (status, code))
        #expect(try answer.json.at(["pointer"])?.string == pointer)
        if code == "unknown_notification_type" { #expect(answer.text.contains("ROOM_LIKE\\\"")) }
        #expect(try await call(server, "GET", "preferences").json.at(["data", "rev"]) == 0)
        await server.stop()
    }

    // MARK: Mutes

    @Test func `a subject is muted, listed and taken back`() async throws {
        let server = try await TestServer()
        let muted = try await call(server, "PUT", "mutes/actor%3Auser-pete", #"{"until": "2999-01-01T00:00:00Z"}"#)
        #expect(muted.status == 200)
        let list: JSONValue = [["subject": "actor:user-pete", "until": "2999-01-01T00:00:00.000Z"]]
        #expect(try muted.json == ["data": ["rev": 1, "mutes": list]])
        #expect(try await call(server, "GET", "mutes").json == ["data": ["rev": 1, "mutes": list]])
        let answer = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(try answer.json.at(["suppressed"]) == 1)
        let back = try await call(server, "DELETE", "mutes/actor%3Auser-pete")
        #expect(try back.json == ["data": ["rev": 2, "mutes": []]])
        #expect(try await server.publish(RoomsEvent.liked(to: "sarah")).json.at(["created"]) == 1)
        await server.stop()
    }

    @Test(arguments: [
        ("mutes/room", "", 400, "invalid_parameter"),
        ("mutes/room:7", #"{"until": "2001-01-01T00:00:00Z"}"#, 422, "invalid_value"),
        ("mutes/room:7", #"{"till": "2999-01-01T00:00:00Z"}"#, 422, "unknown_field"),
    ])
    func `no other mute is one`(path: String, body: String, status: Int, code: String) async throws {
        let server = try await TestServer()
        let answer = try await call(server, "PUT", path, body)
        #expect((answer.status, try answer.json.at(["code"])?.string) == (status, code))
        await server.stop()
    }

    @Test func `a kind of subject that no catalog has is refused, but can be taken back`() async throws {
        let server = try await TestServer()
        let refused = try await call(server, "PUT", "mutes/rooms:7")
        #expect((refused.status, try refused.json.at(["code"])) == (422, "unknown_subject_kind"))
        #expect(
            try refused.json.at(["detail"])
                == #"no catalog has subjects of the kind "rooms"; did you mean "room"?; known are actor, room"#)
        #expect(try await call(server, "GET", "mutes").json == ["data": ["rev": 0, "mutes": []]])
        #expect(try await call(server, "DELETE", "mutes/rooms:7").status == 200)
        await server.stop()
    }

    // MARK: Quiet hours and the snooze

    @Test func `quiet hours and a snooze are set, shown and given up`() async throws {
        let server = try await TestServer()
        let hours = #"{"zone":"Europe/Berlin","windows":[{"days":["mon","fri"],"from":"22:00","to":"07:00"}]}"#
        let set = try await call(server, "PUT", "quiet-hours", hours)
        #expect(set.status == 200)
        #expect(try set.json.at(["data", "quietHours"]) == JSONValue(parsing: Array(hours.utf8)))
        let snoozed = try await call(server, "PUT", "snooze", #"{"hours": 8}"#)
        #expect(try snoozed.json.at(["data", "snooze", "until"])?.string.flatMap { Timestamp(iso8601: $0) } != nil)
        #expect(try await call(server, "GET", "quiet-hours").json == snoozed.json)
        let awake = try await call(server, "DELETE", "snooze")
        #expect(try awake.json.at(["data", "snooze"]) == .null)
        let loud = try await call(server, "DELETE", "quiet-hours")
        #expect(try loud.json == ["data": ["rev": 4, "quietHours": nil, "snooze": nil]])
        let refused = try await call(server, "PUT", "quiet-hours", #"{"zone": "Europe/Berln", "windows": []}"#)
        #expect((refused.status, try refused.json.at(["pointer"])) == (422, "/zone"))
        #expect(refused.text.contains("Europe/Berlin"))
        await server.stop()
    }

    @Test func `without a token nobody chooses anything`() async throws {
        let server = try await TestServer()
        for path in ["preferences", "mutes", "quiet-hours"] {
            #expect(try await server.callWithoutToken("GET", Self.base + path).status == 401)
        }
        await server.stop()
    }

    // MARK: Over the Unix socket

    @Test func `a backend reads and replaces all of it`() async throws {
        let server = try await TestServer()
        _ = try await call(server, "PUT", "mutes/room:7")
        let path = "/v1/users/sarah/settings"
        let settings = try await server.admin("GET", path)
        #expect(try settings.json.at(["mutes"]) == [["subject": "room:7", "until": nil]])
        let body = #"{"preferences": {"types": {"ROOM_LIKE": {"push": false}}}}"#
        let replaced = try await server.admin("PUT", path, body: body)
        #expect(
            try replaced.json == [
                "rev": 2, "preferences": ["types": ["ROOM_LIKE": ["push": false]], "categories": [:]], "mutes": [],
                "quietHours": nil, "snooze": nil,
            ])
        let refused = try await server.admin(
            "PUT", path, body: #"{"preferences": {"types": {"LIKE": {"push": false}}}}"#)
        #expect((refused.status, try refused.json.at(["code"])) == (422, "unknown_notification_type"))
        #expect(try await server.admin("GET", path).json == replaced.json)
        await server.stop()
    }

    @Test func `a backend cannot mute a kind of subject that no catalog has`() async throws {
        let server = try await TestServer()
        let path = "/v1/users/sarah/settings"
        let body = #"{"mutes": [{"subject": "room:7"}, {"subject": "rooms:7"}]}"#
        let refused = try await server.admin("PUT", path, body: body)
        #expect(
            (refused.status, try refused.json.at(["code"]), try refused.json.at(["pointer"]))
                == (422, "unknown_subject_kind", "/mutes"))
        #expect(refused.text.contains("; known are actor, room\""))
        #expect(try await server.admin("GET", path).json.at(["rev"]) == 0)
        await server.stop()
    }

    // MARK: Live

    @Test func `a change is told to all of the person's sessions, and to nobody else's`() async throws {
        let server = try await TestServer()
        let sessions = [try await server.session(of: "sarah"), try await server.session(of: "sarah")]
        let other = try await server.session(of: "tom")
        _ = try await call(server, "PUT", "mutes/room:7")
        for session in sessions {
            let frame = try await session.next("prefs")
            #expect(frame.object["rev"] == 1)
            #expect(frame.object["mutes"] == [["subject": "room:7", "until": nil]])
            #expect(frame.object["quietHours"] == .null)
        }
        // The other session heard nothing of the change before this event.
        _ = try await server.publish(RoomsEvent.liked(to: "tom"))
        _ = try await other.next("new")
        await server.stop()
    }

    @Test func `a session snoozes its person's pushes and ends that, and all of their sessions are told`() async throws
    {
        let server = try await TestServer()
        let sessions = [try await server.session(of: "sarah"), try await server.session(of: "sarah")]
        let until = (Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1_000) + .seconds(3_600)).iso8601
        for (id, snooze) in [("1", until as String?), ("2", nil)] {
            sessions[0].send(.snooze(until: snooze), id: id)
            // The session that asked is told of the change, too, before or after its answer.
            let types = Set([try await sessions[0].next().type, try await sessions[0].next().type])
            #expect(types == ["ok", "prefs"])
            let told = try await sessions[1].next("prefs").object["snooze"]
            #expect(told == snooze.map { ["until": .string($0)] } ?? .null)
        }
        await server.stop()
    }

    @Test(arguments: ["tomorrow", "2025-07-04T15:02:44Z", "2999-01-01T00:00:00Z"])
    func `a session's snooze has the limits of a call's, and its refusal has the same words`(_ until: String)
        async throws
    {
        let server = try await TestServer()
        let session = try await server.session(of: "sarah")
        session.send(.snooze(until: until), id: "1")
        let error = try await session.next("error").object
        let refusal = try await call(server, "PUT", "snooze", #"{"until": "\#(until)"}"#).json
        #expect((error["code"], error["temporary"]) == (refusal.at(["code"]), false))
        let detail = try #require(refusal.at(["detail"])?.string)
        #expect(error["message"]?.string == "until: \(detail)")
        await server.stop()
    }

    @Test func `a change without effect is told to nobody`() async throws {
        let server = try await TestServer()
        let session = try await server.session(of: "sarah")
        _ = try await call(server, "DELETE", "mutes/room:7")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        _ = try await session.next("new")
        await server.stop()
    }
}
