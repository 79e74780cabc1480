import Inbox
import JSON
import Push
import Testing

struct APNsRequestTests {
    let settings = APNsSettings(bundleID: "org.example.rooms", isSandbox: false)

    private func request(_ message: PushMessage, to device: Device = device(), bearer: String = "") -> PushRequest {
        PushRequest(
            apns: message, to: device, settings: settings, authorization: PushRequest.authorization(apns: bearer))
    }

    @Test func `a message becomes one request with all of Apple's headers`() throws {
        let request = request(message(), bearer: "h.c.s")
        #expect(request.method == "POST")
        #expect(request.url == "https://api.push.apple.com/3/device/a1b2c3d4")
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        #expect(
            headers == [
                "authorization": "bearer h.c.s", "apns-topic": "org.example.rooms", "apns-push-type": "alert",
                "apns-priority": "10", "apns-expiration": "1764003600", "apns-collapse-id": "nc-9l",
            ])
        #expect(
            text(request.body) == """
                {"aps":{"alert":{"title":"New Content","body":"Pete added a photo in Italian Vacation"},"badge":3,\
                "sound":"default","thread-id":"room:789"},\
                "type":"element_added","roomId":"room-789",\
                "belfry":{"id":"nc-9l","rev":1,"epoch":"e1","seq":345}}
                """)
    }

    @Test(
        arguments: [(.low, "5", "passive"), (.normal, "10", nil), (.urgent, "10", "time-sensitive")]
            as [(PushPolicy.Urgency, String, String?)])
    func `urgency sets priority and interruption level`(_ urgency: PushPolicy.Urgency, priority: String, level: String?)
        throws
    {
        let request = request(message(content(urgency: urgency)))
        #expect(request.headers.contains { $0 == ("apns-priority", priority) })
        let aps = try JSONValue(parsing: request.body).at(["aps", "interruption-level"])
        #expect(aps?.string == level)
    }

    @Test(arguments: [
        (false, nil, "https://api.push.apple.com"), (true, nil, "https://api.sandbox.push.apple.com"),
        (false, "https://localhost:4443/", "https://localhost:4443"), (true, "https://sink", "https://sink"),
    ])
    func `settings choose the host`(isSandbox: Bool, endpoint: String?, url: String) {
        #expect(APNsSettings(bundleID: "x", isSandbox: isSandbox, endpoint: endpoint).baseURL(for: nil) == url)
    }

    @Test(arguments: [
        ("https://api.push.apple.com", "https://api.push.apple.com", ""),
        ("https://[::1]:4443", "https://[::1]:4443", ""),
        ("https://proxy/apns", "https://proxy", "/apns"), ("https://proxy/a/b", "https://proxy", "/a/b"), ("", "", ""),
    ])
    func `a proxy's path is told from its host`(base: String, origin: String, path: String) {
        #expect(BaseURL.parts(of: base) == (origin, path))
    }

    @Test(arguments: [
        ("../../x", "%2E%2E%2F%2E%2E%2Fx"), ("a?b#c", "a%3Fb%23c"), ("é\u{1}", "%C3%A9%01"), ("Az09", "Az09"),
    ])
    func `a token cannot lead to another path`(token: String, segment: String) throws {
        let request = request(message(), to: device(token: token))
        #expect(request.url == "https://api.push.apple.com/3/device/" + segment)
    }

    @Test func `without a group there is no thread, and the app cannot replace Apple's part`() throws {
        let payload = APNsPayload(
            message(content(group: nil, data: ["aps": "mine", "belfry": "mine", "n": 1, "b": true]), badge: 0))
        let json = try JSONValue(parsing: payload.bytes)
        #expect(json.object?.keys == ["aps", "n", "b", "belfry"])
        #expect(json.at(["aps", "badge"]) == 0)
        #expect(json.at(["aps", "thread-id"]) == nil)
    }

    static let longBodies = [
        String(repeating: "a", count: 5_000), String(repeating: "👨‍👩‍👧‍👦", count: 1_000),
        String(repeating: "\"\n\u{1}", count: 4_000),
        String(repeating: "é\u{301}", count: 3_000), String(repeating: "日本語", count: 2_000),
    ]

    @Test(arguments: longBodies)
    func `a long body is cut between characters and fills the payload`(_ body: String) throws {
        let payload = APNsPayload(message(content(body: body), badge: 1))
        #expect(payload.bytes.count <= 4_096)
        #expect(payload.bytes.count > 4_096 - 32)
        let shown = try #require(try JSONValue(parsing: payload.bytes).at(["aps", "alert", "body"])?.string)
        #expect(shown.last == "…")
        #expect(body.hasPrefix(shown.dropLast()))
        #expect(shown.dropLast().count <= body.count)
    }

    @Test(arguments: 3_700...4_000)
    func `a body at the edge of the limit is whole if it fits`(length: Int) throws {
        let body = String(repeating: "x", count: length)
        let payload = APNsPayload(message(content(body: body), badge: 1))
        let shown = try JSONValue(parsing: payload.bytes).at(["aps", "alert", "body"])?.string
        let empty = APNsPayload(message(content(body: ""), badge: 1)).bytes.count
        #expect((shown == body) == (empty + length <= 4_096))
        #expect(payload.bytes.count == min(empty + length, 4_096))
    }

    @Test func `too much of everything still makes a payload`() throws {
        let long = String(repeating: "z", count: 5_000)
        let large = content(title: long, body: long, group: long, data: ["type": "t", "long": .string(long)])
        let payload = APNsPayload(message(large, badge: 1))
        #expect(payload.bytes.count <= 4_096)
        let json = try JSONValue(parsing: payload.bytes)
        #expect(json.at(["aps", "alert", "title"])?.string?.hasPrefix("zzz") == true)
        #expect(json.at(["aps", "thread-id"]) == nil)

        let wide = APNsPayload(message(content(data: ["type": "t", "long": .string(long)]), badge: 1))
        #expect(try JSONValue(parsing: wide.bytes).object?.keys == ["aps", "type", "belfry"])
        #expect(try JSONValue(parsing: wide.bytes).at(["aps", "alert", "body"])?.string?.hasPrefix("Pete") == true)
    }
}
