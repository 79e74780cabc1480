import Inbox
import JSON
import Push
import Testing

struct WebPushRequestTests {
    private func payload(_ message: PushMessage) throws -> JSONObject {
        let request = try #require(try webPush(message))
        return try #require(JSONValue(parsing: subscriber().decrypt(request.body)).object)
    }

    @Test func `a request has all that push services ask for`() throws {
        let request = try #require(try webPush(message()))
        #expect(request.method == "POST")
        #expect(request.url == "https://push.example:4443/webpush/sub-1")
        var headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        let removed = headers.removeValue(forKey: "authorization")
        let authorization = try #require(removed)
        #expect(authorization.hasPrefix("vapid t=eyJ"))
        #expect(authorization.hasSuffix(",k=" + RFC8291.browserPublicKey))
        #expect(
            headers == [
                "content-encoding": "aes128gcm", "content-type": "application/octet-stream", "ttl": "3600",
                "urgency": "normal", "topic": "nc-9l---",
            ])
    }

    @Test func `the service worker gets text, number, place and the app's data`() throws {
        #expect(
            try payload(message()) == [
                "title": "New Content", "body": "Pete added a photo in Italian Vacation", "tag": "nc-9l",
                "timestamp": .int(now.milliseconds), "badge": 3,
                "data": ["type": "element_added", "roomId": "room-789"],
                "belfry": ["id": "nc-9l", "rev": 1, "epoch": "e1", "seq": 345], "group": "room:789",
            ])
    }

    @Test func `picture, buttons, silence and withdrawal are told`() throws {
        var rich = content()
        rich.image = "https://img.example/1.jpg"
        rich.actions = "ROOM"
        rich.sound = nil
        rich.growthSound = "default"
        var message = message(rich)
        message.rev = 2
        message.withdrawn = ["n1-1"]
        let payload = try payload(message)
        #expect(payload["image"] == "https://img.example/1.jpg")
        #expect(payload["category"] == "ROOM")
        #expect(payload["silent"] == true)
        #expect(payload["renotify"] == true)
        #expect(payload["belfry"]?.at(["withdrawn"]) == ["n1-1"])
    }

    @Test func `pushes with the same replace key share tag and topic`() throws {
        var replaced = content()
        replaced.replaceKey = "room:789"
        let message = message(replaced)
        let request = try #require(try webPush(message))
        let topic = try #require(request.headers.first { $0.name == "topic" }?.value)
        #expect(topic.utf8.count == 32)
        #expect(try payload(message)["tag"] == .string(topic))
    }

    @Test(arguments: [(.low, "low"), (.normal, "normal"), (.urgent, "high")] as [(PushPolicy.Urgency, String)])
    func `urgency is told in the words of RFC 8030`(urgency: PushPolicy.Urgency, word: String) throws {
        let request = try #require(try webPush(message(content(urgency: urgency))))
        #expect(request.headers.first { $0.name == "urgency" }?.value == word)
    }

    @Test(arguments: [(0, 3_600), (3_599, 1), (3_600, 1), (4_000, 1), (-40 * 86_400, 28 * 86_400)])
    func `a message lives as long as it is worth sending, a second at least and four weeks at most`(
        later: Int, ttl: Int
    ) throws {
        let request = try #require(try webPush(message(), at: now + .seconds(later)))
        #expect(request.headers.first { $0.name == "ttl" }?.value == String(ttl))
    }

    @Test(arguments: [1, 100, 3_000, 20_000])
    func `a text of any length fits, cut at its end`(length: Int) throws {
        let long = String(repeating: "ä\"", count: length)
        let request = try #require(try webPush(message(content(title: long, body: long))))
        #expect(request.body.count <= 4_096)
        let shown = try payload(message(content(title: long, body: long)))
        let title = try #require(shown["title"]?.string)
        #expect(title == long || title.hasSuffix("…"))
        #expect(shown["belfry"]?.at(["seq"]) == 345)
    }

    @Test(arguments: [3_070, 2_048, 512])
    func `a body is cut to what a service takes`(bytes: Int) throws {
        let long = String(repeating: "ä\"", count: 4_000)
        var tokens = try vapidTokens()
        let request = try #require(
            try PushRequest(
                webPush: message(content(title: "t", body: long)), to: try browser(), settings: webPushSettings,
                tokens: &tokens,
                secrets: try secrets(), maximumBodyBytes: bytes, at: now))
        #expect((bytes - 128...bytes).contains(request.body.count))
        let shown = try #require(JSONValue(parsing: subscriber().decrypt(request.body)).object)
        #expect(shown["body"]?.string?.hasSuffix("…") == true)
    }

    @Test func `a push that has less than a second to live has one`() throws {
        var short = message()
        short.expiry = now + .milliseconds(900)
        let request = try #require(try webPush(short))
        #expect(request.headers.first { $0.name == "ttl" }?.value == "1")
    }

    @Test func `data too large goes before the text does`() throws {
        let data: JSONObject = ["type": "x", "blob": .string(String(repeating: "y", count: 5_000))]
        let shown = try payload(message(content(data: data)))
        #expect(shown["data"] == ["type": "x"])
        #expect(shown["body"] == "Pete added a photo in Italian Vacation")
    }

    @Test func `short texts of different lengths look the same on the way`() throws {
        let sizes = try ["A", "Al", "Ali"].map { try #require(try webPush(message(content(title: $0)))).body.count }
        #expect(Set(sizes).count == 1)
    }

    @Test func `a push that shows nothing is not sent, for browsers punish it`() throws {
        #expect(try webPush(message(nil)) == nil)
        var silent = content(title: "", body: "")
        silent.wakesApp = true
        #expect(try webPush(message(silent)) == nil)
    }

    @Test func `a chosen endpoint takes the place of scheme, host and port, and is the token's audience`() throws {
        for base in ["https://localhost:22000", "https://localhost:22000/"] {
            let settings = WebPushSettings(hosts: webPushSettings.hosts, endpoint: base)
            let request = try #require(try webPush(message(), settings: settings))
            #expect(request.url == "https://localhost:22000/webpush/sub-1")
            let standIn = WebPushStandIn(baseURL: pushService, subscribers: ["sub-1": try subscriber()])
            let arrived = SinkRequest(request, origin: "https://localhost:22000")
            #expect(standIn.credential(of: arrived, audiences: ["https://localhost:22000"], at: now) == .valid)
            #expect(standIn.credential(of: arrived, audiences: [pushService], at: now) == .invalid)
        }
    }

    @Test(arguments: [
        ("https://localhost:443", "https://localhost", "https://localhost/webpush/sub-1"),
        ("https://localhost/a/", "https://localhost", "https://localhost/a/webpush/sub-1"),
    ])
    func `the audience is an origin, without a path and the usual port`(base: String, origin: String, url: String)
        throws
    {
        let request = try #require(
            try webPush(message(), settings: WebPushSettings(hosts: webPushSettings.hosts, endpoint: base)))
        #expect(request.url == url)
        let authorization = try #require(request.headers.first { $0.name == "authorization" }?.value)
        let claims = text(try bytes(String(authorization.split(separator: ".")[1])))
        #expect(claims.hasPrefix(#"{"aud":"\#(origin)","#))
    }

    @Test func `a host that is no longer on the list is not reached`() throws {
        let refusal = #expect(throws: WebPushRefusal.self) {
            _ = try webPush(message(), settings: WebPushSettings(hosts: ["fcm.googleapis.com"]))
        }
        #expect(refusal?.reason.contains("push.webPush.hosts") == true)
        #expect(refusal?.reason.contains("push.example") == false)
    }

    @Test func `a subscription without good keys is refused`() throws {
        var device = try browser()
        device.keys = nil
        let refusal = #expect(throws: WebPushRefusal.self) { _ = try webPush(message(), to: device) }
        #expect(refusal?.reason == "the subscription has no keys")
        device.keys = WebPushKeys(p256dh: [4] + [UInt8](repeating: 1, count: 64), auth: try bytes(RFC8291.auth))
        #expect(throws: WebPushRefusal.self) { _ = try webPush(message(), to: device) }
    }
}
