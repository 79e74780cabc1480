import Foundation
import Gateway
import JSON
import Testing
import Transport

/// The apps' own calls, byte for byte as the apps read them: members, order, spelling. Our own members come behind.
@Suite(.mayNotHang)
struct LegacyShapesTests {
    private static let event = """
        {"type": "element_added", "occurredAt": "2025-07-04T16:06:19.544Z",
         "actor": {"id": "user-456", "username": "renee", "firstName": "Renee", "avatarUrl": null},
         "to": {"participants": ["sarah"]},
         "data": {"room": {"id": "room-42", "name": "Awesome Fun"},
                  "elements": [{"kind": "photo", "thumbnailUrl": "https://img.example/1.jpg"}]}}
        """
    /// Behind `id`, and before the members of ours.
    private static let row = """
        "type":"ELEMENT_ADDED","displayText":"renee added a photo to Awesome Fun","isRead":false,\
        "createdAt":"2025-07-04T16:06:19.544Z","actor":{"id":"user-456","username":"renee","firstName":"Renee",\
        "avatarUrl":null},"deepLink":{"type":"room","roomId":"room-42","actorId":"user-456"},\
        "roomName":"Awesome Fun","thumbnails":[{"url":"https://img.example/1.jpg","type":"PHOTO"}],"batchCount":1
        """

    private func withServer(_ body: (TestServer) async throws -> Void) async throws {
        // The guide's events are older than what an inbox keeps, and would go half a minute after the start.
        let server = try await TestServer { $0.inbox.keep = .zero }
        try await body(server)
        await server.stop()
    }

    private func id(_ server: TestServer) async throws -> String {
        let list = try await server.call("GET", "/api/notifications", as: "sarah").json
        return try #require(list.at(["data"])?.array?.first?.at(["id"])?.string)
    }

    @Test func `GET notifications`() async throws {
        try await withServer { server in
            #expect(try await server.publish(Self.event).status == 202)
            let answer = try await server.call("GET", "/api/notifications?page=1&limit=20", as: "sarah")
            #expect((answer.status, answer.header("content-type")) == (200, "application/json"))
            let json = try answer.json
            let id = try #require(json.at(["data"])?.array?.first?.at(["id"])?.string)
            let epoch = try #require(json.at(["meta", "epoch"])?.string)
            let beginning = #"{"data":[{"id":"\#(id)",\#(Self.row)"#
            let end = """
                "isSeen":false,"rev":1,"seq":1}],"meta":{"totalCount":1,"page":1,"limit":20,"totalPages":1,\
                "hasNextPage":false,"hasPrevPage":false,"epoch":"\(epoch)","seq":1,"unread":1,"unseen":1,\
                "asOf":1,"next":null}}
                """
            #expect(answer.text.hasPrefix(beginning))
            #expect(answer.text.hasSuffix(end))
            // Between them a catalog may have members of its own choice, such as a category.
            let additions = answer.text.dropFirst(beginning.count).dropLast(end.count)
            #expect(additions.wholeMatch(of: /,(?:"[a-zA-Z]+":(?:"[^"]*"|\{[^{}]*\}),)*/) != nil, "\(additions)")
        }
    }

    @Test func `GET unread-count`() async throws {
        try await withServer { server in
            for count in 0...2 {
                let answer = try await server.call("GET", "/api/notifications/unread-count", as: "sarah")
                #expect((answer.status, answer.text) == (200, #"{"data":{"unreadCount":\#(count)}}"#))
                _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
            }
        }
    }

    @Test func `PUT read`() async throws {
        try await withServer { server in
            _ = try await server.publish(Self.event)
            let id = try await id(server)
            for count in [1, 0] {
                let answer = try await server.call(
                    "PUT", "/api/notifications/read", as: "sarah", body: #"{"notificationIds":["\#(id)"]}"#)
                let expected = #"{"data":{"message":"Notifications marked as read","count":\#(count),"unreadCount":0}}"#
                #expect((answer.status, answer.text) == (200, expected))
            }
        }
    }

    @Test func `PUT read-all`() async throws {
        try await withServer { server in
            _ = try await server.publish(Self.event)
            let answer = try await server.call("PUT", "/api/notifications/read-all", as: "sarah")
            let expected = #"{"data":{"message":"All notifications marked as read","count":1,"unreadCount":0}}"#
            #expect((answer.status, answer.text) == (200, expected))
        }
    }

    @Test func `PUT player-id`() async throws {
        try await withServer { server in
            let answer = try await server.call(
                "PUT", "/api/notifications/player-id", as: "sarah",
                body: #"{"playerId":"6f5c5a8e-0c9d-4f0e-8b61-0e7b3a0f5a11"}"#)
            #expect((answer.status, answer.text) == (200, #"{"data":{"success":true}}"#))
        }
    }

    @Test func `POST register-device`() async throws {
        try await withServer { server in
            let answer = try await server.call(
                "POST", "/api/notifications/register-device", as: "sarah",
                body: #"{"device_id":"phone-1","apns_token":"a1b2c3d4"}"#)
            #expect((answer.status, answer.text) == (200, #"{"status":"ok"}"#))
        }
    }

    @Test func `POST register-device before anybody has logged in`() async throws {
        let server = try await TestServer { $0.auth.registerDeviceWithoutToken = true }
        let body = #"{"device_id":"phone-1","apns_token":"a1b2c3d4"}"#
        let unknown = try await server.callWithoutToken("POST", "/api/notifications/register-device", body: body)
        #expect((unknown.status, unknown.text) == (200, #"{"status":"ok"}"#))
        _ = try await server.call("POST", "/api/notifications/register-device", as: "sarah", body: body)
        let known = try await server.callWithoutToken("POST", "/api/notifications/register-device", body: body)
        #expect((known.status, known.text) == (200, #"{"status":"ok"}"#))
        await server.stop()
    }
}
