import Inbox
import JSON
import Testing

@testable import Push

/// Pushes that a browser shows without a service worker.
struct DeclarativePushTests {
    static let scope = "https://app.example/mail/"

    private func request(_ message: PushMessage, scope: String? = Self.scope) throws -> SinkRequest {
        var device = try browser()
        device.scope = scope
        return SinkRequest(try #require(try webPush(message, to: device)))
    }

    private func text(_ message: PushMessage, scope: String? = Self.scope) throws -> String {
        String(decoding: try subscriber().decrypt(request(message, scope: scope).body), as: UTF8.self)
    }

    private func payload(_ message: PushMessage, scope: String? = Self.scope) throws -> JSONObject {
        try #require(JSONValue(parsing: text(message, scope: scope)).object)
    }

    @Test func `a push to a page whose scope is known is a declarative message, byte for byte`() throws {
        #expect(
            try text(message())
                == #"{"web_push":8030,"notification":{"title":"New Content","#
                + #""body":"Pete added a photo in Italian Vacation","tag":"nc-9l","timestamp":\#(now.milliseconds),"#
                + #""navigate":"https://app.example/mail/","app_badge":3,"#
                + #""data":{"type":"element_added","roomId":"room-789","#
                + #""belfry":{"id":"nc-9l","rev":1,"epoch":"e1","seq":345}}},"app_badge":3,"group":"room:789"}"#)
    }

    @Test func `picture, buttons, silence and a sound of growth have their places`() throws {
        var rich = content()
        (rich.image, rich.actions) = ("https://img.example/1.jpg", "ROOM")
        (rich.sound, rich.growthSound) = (nil, "default")
        var message = message(rich)
        message.rev = 2
        let payload = try payload(message)
        let notification = try #require(payload["notification"]?.object)
        #expect(payload["category"] == "ROOM")
        #expect(notification["image"] == "https://img.example/1.jpg")
        #expect((notification["silent"], notification["renotify"]) == (true, true))
    }

    @Test func `the number is the exact one, and zero is told too`() throws {
        for badge: Int64 in [0, 1, 12_345] {
            var message = message()
            message.badge = badge
            let payload = try payload(message)
            #expect(payload["app_badge"] == .int(badge))
            #expect(payload["notification"]?.at(["app_badge"]) == .int(badge))
        }
    }

    @Test(
        arguments: [
            (nil, "https://app.example/mail/"), ("", "https://app.example/mail/"),
            ("/rooms/1", "https://app.example/rooms/1"), ("inbox/7?a=b#c", "https://app.example/mail/inbox/7?a=b#c"),
            ("?room=1", "https://app.example/mail/?room=1"), ("#room", "https://app.example/mail/#room"),
            ("//cdn.example/x", "https://cdn.example/x"), ("https://other.example/é", "https://other.example/é"),
            ("HTTP://other.example/", "HTTP://other.example/"),
            // What a browser does not open.
            ("rooms://1", "https://app.example/mail/"), ("javascript:alert(1)", "https://app.example/mail/"),
        ] as [(String?, String)])
    func `a click opens the catalog's link within the page's scope`(link: String?, address: String) throws {
        var data: JSONObject = ["roomId": "r1"]
        if let link { data["url"] = .string(link) }
        let payload = try payload(message(content(data: data)))
        #expect(payload["notification"]?.at(["navigate"]) == .string(address))
    }

    @Test func `a link that is too long for a push gives way to the page`() throws {
        let data: JSONObject = ["url": .string("/" + String(repeating: "x", count: 2_000))]
        let payload = try payload(message(content(title: "t", body: "b", data: data)))
        #expect(payload["notification"]?.at(["navigate"]) == "https://app.example/mail/")
        #expect(payload["notification"]?.at(["body"]) == "b")
    }

    @Test func `a folder's page with a name opens links beside itself`() throws {
        let scope = try #require(WebPushScope("http://localhost:8080/demo/app.html?x=1"))
        #expect(scope.address(of: "room") == "http://localhost:8080/demo/room")
        #expect(scope.address(of: nil) == "http://localhost:8080/demo/app.html")
    }

    @Test(arguments: [
        "http://app.example/", "https://app.example", "https:///x", "https://me@app.example/", "app.example/", "",
        "https://app.example/#x", "https://app.example/\"", "https://app.example/ä", "file:///etc",
        "http://localhost.example/",
        "https://app.example/" + String(repeating: "x", count: 500),
    ])
    func `a scope that no service worker could have is refused`(scope: String) {
        #expect(WebPushScope(scope) == nil)
    }

    @Test(arguments: ["https://app.example/", "http://localhost/", "http://127.0.0.1:8080/a/", "http://[::1]:80/"])
    func `a secure page has a scope, and so has one in development`(scope: String) {
        #expect(WebPushScope(scope) != nil)
    }

    @Test(arguments: [nil, "not a scope"])
    func `without a page to open, a push is one for service workers`(scope: String?) throws {
        #expect(try payload(message(), scope: scope)["title"] == "New Content")
        #expect(try payload(message(), scope: scope)["web_push"] == nil)
    }

    @Test func `without a title, which Safari requires, the body takes its place`() throws {
        let push = try DeclarativePush(payload(message(content(title: "", body: "b"))))
        #expect((push.title, push.body) == ("b", ""))
    }

    @Test(arguments: [1, 100, 3_000, 20_000])
    func `a text of any length fits, cut at its end, and browsers read it`(length: Int) throws {
        let long = String(repeating: "ä\"", count: length)
        let push = try DeclarativePush(payload(message(content(title: long, body: long))))
        #expect(push.title == long || push.title.hasSuffix("…"))
        #expect(push.data["belfry"]?.at(["seq"]) == 345)
        #expect(try request(message(content(title: long, body: long))).body.count <= 4_096)
    }

    @Test func `the stand-in shows it as a browser would`() throws {
        let standIn = WebPushStandIn(baseURL: pushService, subscribers: ["sub-1": try subscriber()])
        let outcome = standIn.receive(try request(message()), credential: .valid, id: "m1")
        let shown = try #require(outcome.shown.first)
        #expect((shown.title, shown.body) == ("New Content", "Pete added a photo in Italian Vacation"))
        #expect((shown.badge, shown.thread, shown.collapseID) == (3, "room:789", "nc-9l"))
        #expect(shown.data["roomId"] == "room-789")
        #expect(shown.data["belfry"]?.at(["id"]) == "nc-9l")
    }

    static let mistakes: [(member: String, value: JSONValue?, reason: String)] = [
        ("title", "", "title"), ("title", nil, "title"), ("title", 7, "title"), ("navigate", nil, "navigate"),
        ("navigate", "/rooms/1", "navigate"), ("navigate", "https://", "navigate"), ("body", 7, "body"),
        ("tag", false, "tag"), ("image", 1, "image"), ("silent", "yes", "silent"), ("dir", "up", "dir"),
        ("timestamp", -1, "timestamp"), ("app_badge", "3", "app_badge"), ("app_badge", 4, "app_badge"),
        ("app_badge", -1, "app_badge"), ("mutable", 1, "mutable"), ("actions", [["action": "a"]], "actions"),
    ]

    @Test(arguments: mistakes)
    func `what a browser would not read is found`(member: String, value: JSONValue?, reason: String) throws {
        var payload = try payload(message())
        var notification = try #require(payload["notification"]?.object)
        notification[member] = value
        payload["notification"] = .object(notification)
        let problem = #expect(throws: DeclarativePush.Problem.self) { _ = try DeclarativePush(payload) }
        #expect(problem?.reason == reason)
    }

    @Test func `a sound of growth without a place on the screen is found, and another number than 8030`() throws {
        var payload = try payload(message())
        var notification = try #require(payload["notification"]?.object)
        (notification["renotify"], notification["tag"]) = (true, "")
        payload["notification"] = .object(notification)
        let first = #expect(throws: DeclarativePush.Problem.self) { _ = try DeclarativePush(payload) }
        #expect(first?.reason == "renotify without tag")
        payload["web_push"] = 8_031
        let second = #expect(throws: DeclarativePush.Problem.self) { _ = try DeclarativePush(payload) }
        #expect(second?.reason == "web_push")
    }
}
