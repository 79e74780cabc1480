import Inbox
import JSON
import Push
import Testing

struct APNsStandInTests {
    static let id = "123e4567-e89b-12d3-a456-426614174000"
    let standIn = APNsStandIn(topics: ["org.example.rooms"])

    /// A good request with some of its headers replaced; nil removes one.
    private func request(
        method: String = "POST", path: String = "/3/device/a1b2c3d4", body: [UInt8] = Array(#"{"aps":{}}"#.utf8),
        replacing changes: [String: String?] = [:], adding extra: [(name: String, value: String)] = []
    ) -> SinkRequest {
        var headers: [String: String] = ["authorization": "bearer x", "apns-topic": "org.example.rooms"]
        for (name, value) in changes { headers[name] = value }
        return SinkRequest(
            method: method, path: path, headers: headers.map { (name: $0.key, value: $0.value) } + extra, body: body)
    }

    private func expect(
        _ status: Int, _ reason: String, for request: SinkRequest, credential: CredentialCheck = .valid,
        at location: SourceLocation = #_sourceLocation
    ) {
        let outcome = standIn.receive(request, credential: credential, id: Self.id)
        #expect(outcome.reply.status == status, sourceLocation: location)
        #expect(text(outcome.reply.body) == #"{"reason":"\#(reason)"}"#, sourceLocation: location)
        #expect(outcome.reply.header("apns-id") == Self.id, sourceLocation: location)
        #expect(outcome.shown.isEmpty, sourceLocation: location)
    }

    @Test func `our own sender's pushes are accepted and shown`() throws {
        let sent = PushRequest(
            apns: message(), to: device(), settings: APNsSettings(bundleID: "org.example.rooms", isSandbox: true),
            authorization: "bearer h.c.s")
        #expect(standIn.device(of: sinkRequest(sent)) == "a1b2c3d4")
        let outcome = standIn.receive(sinkRequest(sent), credential: .valid, id: Self.id)
        #expect(outcome.reply.status == 200)
        #expect(outcome.reply.body.isEmpty)
        #expect(outcome.reply.header("apns-id") == Self.id)
        let shown = try #require(outcome.shown.first)
        #expect(shown.title == "New Content")
        #expect(shown.body == "Pete added a photo in Italian Vacation")
        #expect(shown.badge == 3)
        #expect(shown.thread == "room:789")
        #expect(shown.collapseID == "nc-9l")
        let own: JSONValue = ["id": "nc-9l", "rev": 1, "epoch": "e1", "seq": 345]
        #expect(shown.data == ["type": "element_added", "roomId": "room-789", "belfry": own])
    }

    @Test func `notifications that go from the screen are told`() throws {
        let sent = PushRequest(
            apns: badgeOnly(), to: device(), settings: APNsSettings(bundleID: "org.example.rooms", isSandbox: true),
            authorization: "bearer h.c.s")
        let shown = try #require(standIn.receive(sinkRequest(sent), credential: .valid, id: Self.id).shown.first)
        #expect(shown.title == nil && shown.body == nil)
        #expect(shown.badge == 2)
        #expect(shown.withdrawn == ["nc-9k", "nc-9j"])
        #expect(shown.data.keys == ["belfry"])
    }

    @Test func `a background push of high priority is refused`() {
        let loud = request(replacing: ["apns-push-type": "background", "apns-priority": "10"])
        expect(400, "BadPriority", for: loud)
    }

    @Test func `a request's own id comes back`() {
        let own = "AAAAAAAA-e89b-12d3-a456-426614174000"
        let outcome = standIn.receive(request(replacing: ["apns-id": own]), credential: .valid, id: Self.id)
        #expect(outcome.reply.header("apns-id") == own)
    }

    @Test func `a wrong method or path is refused`() {
        expect(405, "MethodNotAllowed", for: request(method: "GET"))
        expect(404, "BadPath", for: request(path: "/4/device/a1b2"))
        expect(404, "BadPath", for: request(path: "/3/device/a1b2/more"))
        expect(400, "MissingDeviceToken", for: request(path: "/3/device/"))
    }

    @Test(arguments: ["xyz1", "a1b", "%2E%2E", String(repeating: "a", count: 202)])
    func `a text that is no device token is refused`(_ device: String) {
        expect(400, "BadDeviceToken", for: request(path: "/3/device/" + device))
    }

    @Test func `a provider token is needed, a good and fresh one`() {
        expect(403, "MissingProviderToken", for: request(replacing: ["authorization": nil]))
        expect(403, "InvalidProviderToken", for: request(replacing: ["authorization": "Basic x"]))
        expect(403, "MissingProviderToken", for: request(), credential: .missing)
        expect(403, "InvalidProviderToken", for: request(), credential: .invalid)
        expect(403, "ExpiredProviderToken", for: request(), credential: .expired)
    }

    @Test(arguments: [
        ("apns-topic", nil, "MissingTopic"), ("apns-topic", "", "BadTopic"),
        ("apns-topic", "org.example.other", "TopicDisallowed"), ("apns-push-type", "loud", "InvalidPushType"),
        ("apns-priority", "7", "BadPriority"), ("apns-priority", "high", "BadPriority"),
        ("apns-expiration", "tomorrow", "BadExpirationDate"), ("apns-expiration", "-1", "BadExpirationDate"),
        ("apns-collapse-id", String(repeating: "c", count: 65), "BadCollapseId"), ("apns-id", "42", "BadMessageId"),
    ])
    func `a wrong header is refused`(name: String, value: String?, reason: String) {
        let outcome = standIn.receive(request(replacing: [name: value]), credential: .valid, id: Self.id)
        #expect(outcome.reply.status == 400)
        #expect(text(outcome.reply.body) == #"{"reason":"\#(reason)"}"#)
    }

    @Test func `a header that comes twice is refused`() {
        expect(400, "DuplicateHeaders", for: request(adding: [("apns-topic", "org.example.rooms")]))
    }

    @Test(arguments: ["", "{}", "[]", "{", "\"text\""])
    func `a payload that says nothing is refused`(_ body: String) {
        expect(400, "PayloadEmpty", for: request(body: Array(body.utf8)))
    }

    @Test func `a payload is limited, a call's a bit less`() {
        func body(_ count: Int) -> [UInt8] {
            Array(#"{"a":""#.utf8) + Array(repeating: 0x78, count: count - 8) + Array(#""}"#.utf8)
        }
        expect(413, "PayloadTooLarge", for: request(body: body(4_097)))
        expect(413, "PayloadTooLarge", for: request(body: body(5_121), replacing: ["apns-push-type": "voip"]))
        for (count, type) in [(4_096, "alert"), (5_120, "voip")] {
            let good = request(body: body(count), replacing: ["apns-push-type": type])
            #expect(standIn.receive(good, credential: .valid, id: Self.id).reply.status == 200)
        }
    }

    @Test func `without a list every topic is good`() {
        let open = APNsStandIn()
        let outcome = open.receive(request(replacing: ["apns-topic": "any"]), credential: .valid, id: Self.id)
        #expect(outcome.reply.status == 200)
    }

    @Test func `a scripted answer leads to the verdict it stands for`() {
        let gone = SinkFault.Answer(status: 410, reason: "Unregistered", timestamp: now)
        #expect(
            APNsVerdict(standIn.reply(gone, to: request(), id: Self.id), at: now).verdict == .deviceGone(since: now))
        let busy = SinkFault.Answer(status: 429, reason: "TooManyRequests", retryAfter: .seconds(7))
        #expect(
            APNsVerdict(standIn.reply(busy, to: request(), id: Self.id), at: now).verdict
                == .busy(retryAfter: .seconds(7), scope: .device))
    }
}
