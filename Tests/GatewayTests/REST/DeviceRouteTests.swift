import Gateway
import Inbox
import JSON
import Testing
import Transport

/// Devices over HTTP, as apps and pages register them.
@Suite(.mayNotHang)
struct DeviceRouteTests {
    private static let player = "b4f7f966-d8cc-11e4-bed1-df8f05be55ba"
    private static let subscription = """
        {"endpoint": "https://push.example/s/1", "expirationTime": null, "keys": {
          "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}
        """

    private func ids(_ response: HTTPClientResponse) throws -> [String] {
        try #require(try response.json.at(["data"])?.array).compactMap { $0.at(["id"])?.string }
    }

    @Test func `a device is registered, listed without its token, and removed`() async throws {
        let server = try await TestServer()
        let body = #"{"provider": "fcm", "token": "secret-token", "app": "rooms", "zone": "Europe/Berlin"}"#
        let answer = try await server.call("PUT", "/api/devices/phone%2F1", as: "sarah", body: body)
        #expect(answer.status == 200)
        let device = try #require(try answer.json.at(["data"])?.object)
        #expect(
            device.keys == [
                "id", "app", "provider", "platform", "environment", "locale", "zone", "permission", "registeredAt",
                "lastSeenAt",
            ])
        #expect((device["id"], device["app"], device["provider"]) == ("phone/1", "rooms", "fcm"))
        #expect((device["zone"], device["locale"]) == ("Europe/Berlin", .null))
        let list = try await server.call("GET", "/api/devices", as: "sarah")
        #expect(try list.json == ["data": [.object(device)]])
        #expect(!String(decoding: list.body + answer.body, as: UTF8.self).contains("secret"))
        #expect(try ids(try await server.call("GET", "/api/devices", as: "tom")) == [])

        let path = "/api/devices/phone%2F1"
        let other = try await server.call("DELETE", path, as: "sarah")
        #expect(try other.json == ["data": ["message": "Device removed", "count": 0]])
        let gone = try await server.call("DELETE", path + "?app=rooms", as: "sarah")
        #expect(try gone.json == ["data": ["message": "Device removed", "count": 1]])
        #expect(try ids(try await server.call("GET", "/api/devices", as: "sarah")) == [])
        await server.stop()
    }

    @Test func `a page's subscription makes a device, if its push service is one of the list`() async throws {
        let server = try await TestServer { $0.push.webPush.hosts = ["push.example"] }
        let answer = try await server.call(
            "PUT", "/api/devices/web-1/subscription?app=rooms", as: "sarah", body: Self.subscription)
        #expect(answer.status == 200)
        #expect(try answer.json.at(["data", "provider"]) == "webpush")
        #expect(try answer.json.at(["data", "permission"]) == "granted")
        let refused = try await server.call(
            "PUT", "/api/devices/web-2/subscription", as: "sarah",
            body: Self.subscription.replacing("push.example", with: "10.0.0.1"))
        #expect((refused.status, try refused.json.at(["pointer"])) == (400, "/endpoint"))
        #expect(try ids(try await server.call("GET", "/api/devices", as: "sarah")) == ["web-1"])
        await server.stop()
    }

    @Test func `a browser tells its new subscription without a token, by the secret of the one before`() async throws {
        let server = try await TestServer { $0.push.webPush.hosts = ["push.example"] }
        let first = Self.subscription.replacing(
            #""expirationTime""#, with: #""scope": "https://app.example/", "expirationTime""#)
        _ = try await server.call("PUT", "/api/devices/web-1/subscription?app=rooms", as: "sarah", body: first)
        let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        let second = Self.subscription.replacing("/s/1", with: "/s/2").replacing(secret, with: "AAAAAAAAAAAAAAAAAAAAAA")
        func change(_ endpoint: String, _ auth: String) -> String {
            #"{"endpoint": "https://push.example/s/\#(endpoint)", "auth": "\#(auth)", "subscription": \#(second)}"#
        }
        for (endpoint, auth) in [("1", "AAAAAAAAAAAAAAAAAAAAAA"), ("1", "BTBZ"), ("9", secret)] {
            let answer = try await server.callWithoutToken(
                "POST", "/api/push/subscription", body: change(endpoint, auth))
            #expect((answer.status, try answer.json.at(["code"])) == (404, "unknown_subscription"))
        }
        let changed = try await server.callWithoutToken(
            "POST", "/api/push/subscription?app=rooms", body: change("1", secret))
        #expect((changed.status, try changed.json.at(["data", "id"])) == (200, "web-1"))
        #expect(try changed.json.at(["data", "app"]) == "rooms")
        #expect(try ids(try await server.call("GET", "/api/devices", as: "sarah")) == ["web-1"])
        // The earlier one is not known any more.
        let again = try await server.callWithoutToken("POST", "/api/push/subscription", body: change("1", secret))
        #expect(again.status == 404)
        await server.stop()
    }

    @Test(arguments: [
        ("{}", "/endpoint"), (#"{"endpoint": "https://10.0.0.1/x", "auth": "AA", "subscription": {}}"#, "/endpoint"),
        (#"{"endpoint": "https://push.example/s/1"}"#, "/auth"),
        (#"{"endpoint": "https://push.example/s/1", "auth": "AA"}"#, "/subscription"),
        (#"{"endpoint": "https://push.example/s/1", "auth": "AA", "subscription": {}}"#, "/subscription/endpoint"),
    ])
    func `a mistake in a browser's change is told with its place`(body: String, pointer: String) async throws {
        let server = try await TestServer { $0.push.webPush.hosts = ["push.example"] }
        let answer = try await server.callWithoutToken("POST", "/api/push/subscription", body: body)
        #expect((answer.status, try answer.json.at(["pointer"])) == (400, .string(pointer)))
        await server.stop()
    }

    @Test func `the apps' own calls are answered byte for byte, at every launch`() async throws {
        let server = try await TestServer()
        let body = #"{"playerId": "\#(Self.player)"}"#
        for _ in 1...2 {
            let answer = try await server.call("PUT", "/api/notifications/player-id", as: "sarah", body: body)
            #expect((answer.status, answer.body) == (200, Array(#"{"data":{"success":true}}"#.utf8)))
            let registered = try await server.call(
                "POST", "/api/notifications/register-device", as: "sarah",
                body: #"{"device_id": "phone-1", "apns_token": "A1B2"}"#)
            #expect((registered.status, registered.body) == (200, Array(#"{"status":"ok"}"#.utf8)))
        }
        let list = try ids(try await server.call("GET", "/api/devices", as: "sarah"))
        #expect(Set(list) == ["player:" + Self.player, "phone-1"] && list.count == 2)
        await server.stop()
    }

    @Test func `without a key for Web Push there is none to subscribe with`() async throws {
        let server = try await TestServer()
        let answer = try await server.call("GET", "/api/push/key", as: "sarah")
        #expect((answer.status, try answer.json.at(["code"])) == (404, "web_push_off"))
        await server.stop()
    }
}
