import Gateway
import JSON
import Testing
import Transport
import WireProtocol

/// Polling for the unread count, over real sockets.
@Suite(.mayNotHang)
struct UnreadCountTests {
    private static let path = "/api/notifications/unread-count"

    private func tag(_ response: HTTPClientResponse) -> String? {
        response.headers.first { $0.0.lowercased() == "etag" }?.1
    }

    private func count(_ response: HTTPClientResponse) throws -> JSONValue? {
        try response.json.at(["data", "unreadCount"])
    }

    @Test func `answers 304 until the inbox changes, and never less than what was answered before`() async throws {
        let server = try await TestServer()
        var response = try await server.call("GET", Self.path, as: "sarah")
        #expect(try count(response) == 0)
        for number in 1...5 {
            let known = try #require(tag(response))
            let same = try await server.call("GET", Self.path, as: "sarah", headers: [("If-None-Match", known)])
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(try await server.publish(RoomsEvent.liked(to: "sarah")).status == 202)
            // The publisher has its answer: whoever asks from now on sees the notification.
            response = try await server.call("GET", Self.path, as: "sarah", headers: [("If-None-Match", known)])
            #expect(response.status == 200)
            #expect(try count(response) == .int(Int64(number)))
        }
        _ = try await server.call("PUT", "/api/notifications/read-all", as: "sarah", body: "{}")
        #expect(try count(try await server.call("GET", Self.path, as: "sarah")) == 0)
        _ = try await server.call("DELETE", "/api/notifications", as: "sarah")
        #expect(try count(try await server.call("GET", Self.path, as: "sarah")) == 0)
        await server.stop()
    }

    @Test func `begins anew for somebody who was erased`() async throws {
        let server = try await TestServer()
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        let before = try await server.call("GET", Self.path, as: "sarah")
        #expect(try count(before) == 1)
        #expect(try await server.admin("DELETE", "/v1/users/sarah").status < 300)
        let known = try #require(tag(before))
        let after = try await server.call("GET", Self.path, as: "sarah", headers: [("If-None-Match", known)])
        #expect(after.status == 200)
        #expect(try count(after) == 0)
        #expect(tag(after) != known)
        await server.stop()
    }

    @Test func `the list answers 304 to whoever has its first page, and goes on with the second where that ended`()
        async throws
    {
        let server = try await TestServer()
        for _ in 0..<3 { _ = try await server.publish(RoomsEvent.liked(to: "sarah")) }
        let token = try server.token("sarah")
        func list(_ query: String, known: String? = nil) async throws -> HTTPClientResponse {
            try await server.call(
                "GET", "/api/notifications?\(query)", token: token,
                headers: known.map { [("If-None-Match", $0)] } ?? [])
        }
        let first = try await list("limit=2&page=1")
        #expect(try first.json.at(["data"])?.array?.count == 2)
        let known = try #require(tag(first))
        #expect(try await list("limit=2&page=1", known: known).status == 304)
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        // As of the first page: what came since then moves nothing.
        #expect(try await list("limit=2&page=2").json.at(["data"])?.array?.count == 1)
        #expect(try await list("limit=2&page=1", known: known).status == 200)
        #expect(try await list("limit=x", known: known).status == 400)
        await server.stop()
    }
}
