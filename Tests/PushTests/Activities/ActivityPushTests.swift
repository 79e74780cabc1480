import Inbox
import JSON
import Push
import Testing

/// Pushes to Live Activities, as services and phones see them.
struct ActivityPushTests {
    private static let start = ActivityContent(
        event: .start, key: "order-42", beginning: .init(type: "OrderAttributes", attributes: ["number": 42]),
        state: ["step": "packed", "eta": 12], alert: .init(title: "Order 42", body: "It is packed", sound: "default"),
        relevance: 75, staleAfter: .seconds(900))

    private static func content(_ event: ActivityContent.Event, dismissAfter: Duration? = nil) -> ActivityContent {
        ActivityContent(event: event, key: "order-42", state: ["step": "near"], dismissAfter: dismissAfter)
    }

    private func push(
        _ content: ActivityContent = start, token: String? = "a1b2", isPressing: Bool = true
    ) -> ActivityPush {
        ActivityPush(
            content: content, token: token, timestamp: 1_764_000_000, isPressing: isPressing,
            expiry: Timestamp(milliseconds: 1_764_000_600_000))
    }

    private func apns(_ push: ActivityPush, app: String = "") throws -> PushRequest {
        var device = device()
        device.app = app
        return try #require(
            PushRequest(
                activity: push, to: device,
                apns: APNsSettings(
                    bundleID: "org.example.rooms", bundleIDs: ["golf": "org.example.golf"], isSandbox: true),
                authorization: "bearer h.c.s"))
    }

    private func fcm(_ push: ActivityPush) -> PushRequest {
        PushRequest(
            activity: push, to: device(token: "fcm:token", provider: .fcm), fcm: FCMSettings(projectID: "field-app-1"),
            accessToken: "ya29.x", at: Timestamp(milliseconds: 1_764_000_000_000))
    }

    // MARK: APNs

    @Test func `a start has Apple's topic, push type and payload`() throws {
        let request = try apns(push())
        #expect(request.url == "https://api.sandbox.push.apple.com/3/device/a1b2")
        #expect(request.header("apns-topic") == "org.example.rooms.push-type.liveactivity")
        #expect(request.header("apns-push-type") == "liveactivity")
        #expect(request.header("apns-priority") == "10")
        #expect(request.header("apns-expiration") == "1764000600")
        let aps: JSONValue = [
            "timestamp": 1_764_000_000, "event": "start", "content-state": ["step": "packed", "eta": 12],
            "attributes-type": "OrderAttributes", "attributes": ["number": 42], "input-push-token": 1,
            "alert": ["title": "Order 42", "body": "It is packed", "sound": "default"], "relevance-score": 75,
            "stale-date": 1_764_000_900,
        ]
        #expect(try JSONValue(parsing: request.body) == ["aps": aps])
        #expect(try apns(push(), app: "golf").header("apns-topic") == "org.example.golf.push-type.liveactivity")
    }

    @Test func `an end has the date at which it leaves the Lock Screen, in the past for at once`() throws {
        let later = try JSONValue(parsing: apns(push(Self.content(.end, dismissAfter: .seconds(60)))).body)
        #expect(later.at(["aps", "dismissal-date"]) == 1_764_000_060)
        let atOnce = try JSONValue(parsing: apns(push(Self.content(.end, dismissAfter: .zero))).body)
        #expect(atOnce.at(["aps", "dismissal-date"]) == 1)
        let byRule = try JSONValue(parsing: apns(push(Self.content(.end))).body)
        #expect(byRule.at(["aps", "dismissal-date"]) == nil)
    }

    @Test func `an update of low priority has none of what a start has`() throws {
        let request = try apns(push(Self.content(.update), isPressing: false))
        #expect(request.header("apns-priority") == "5")
        let aps: JSONValue = ["timestamp": 1_764_000_000, "event": "update", "content-state": ["step": "near"]]
        #expect(try JSONValue(parsing: request.body) == ["aps": aps])
    }

    @Test func `the stand-in for APNs accepts and shows what our sender sends`() throws {
        let standIn = APNsStandIn(topics: ["org.example.rooms"])
        for content in [Self.start, Self.content(.update), Self.content(.end, dismissAfter: .zero)] {
            let outcome = standIn.receive(
                sinkRequest(try apns(push(content))), credential: .valid, id: APNsStandInTests.id)
            #expect(outcome.reply.status == 200)
            let shown = try #require(outcome.shown.first)
            #expect(shown.activity?.event == content.event)
            #expect(shown.activity?.content["content-state"] == .object(content.state))
        }
    }

    /// A good update with a header or a member of `aps` replaced; nil removes one.
    private func refusal(
        header: (String, String)? = nil, aps change: (String, JSONValue?)? = nil, of content: ActivityContent = start
    ) throws -> String? {
        var request = sinkRequest(try apns(push(content)))
        if let header {
            request.headers.removeAll { $0.name == header.0 }
            request.headers.append((header.0, header.1))
        }
        if let change {
            var aps = try #require(try JSONValue(parsing: request.body).at(["aps"])?.object)
            aps[change.0] = change.1
            request.body = JSONValue.object(["aps": .object(aps)]).encoded
        }
        let outcome = APNsStandIn(topics: ["org.example.rooms"]).receive(
            request, credential: .valid, id: APNsStandInTests.id)
        #expect(outcome.shown.isEmpty == (outcome.reply.status != 200))
        return outcome.reply.status == 200
            ? nil : try JSONValue(parsing: outcome.reply.body).at(["reason"])?.string
    }

    @Test func `the stand-in for APNs refuses what Apple's pages do not allow`() throws {
        #expect(try refusal(header: ("apns-topic", "org.example.rooms")) == "BadTopic")
        #expect(try refusal(header: ("apns-push-type", "alert")) == "BadTopic")
        #expect(try refusal(header: ("apns-priority", "1")) == "BadPriority")
        #expect(try refusal(header: ("apns-topic", "org.other.push-type.liveactivity")) == "TopicDisallowed")
        let mistakes: [(String, JSONValue?)] = [
            ("timestamp", nil), ("timestamp", 1_764_000_000_000), ("event", "begin"), ("content-state", nil),
            ("content-state", "packed"), ("attributes-type", nil), ("attributes", nil), ("alert", nil),
            ("stale-date", 1_764_000_000_000), ("relevance-score", "high"),
        ]
        for mistake in mistakes {
            #expect(try refusal(aps: mistake) == "BadActivityPayload", "\(mistake)")
        }
        #expect(try refusal(aps: ("attributes-type", nil), of: Self.content(.update)) == nil)
        var large = Self.start
        large.state["text"] = .string(String(repeating: "x", count: 4_000))
        #expect(try refusal(of: large) == "PayloadTooLarge")
        #expect(!ActivityPayload.fits(large))
        #expect(ActivityPayload.fits(Self.start))
    }

    // MARK: FCM

    @Test func `FCM gets the activity's own token beside the app's, and Apple's payload`() throws {
        let request = fcm(push())
        let message = try #require(try JSONValue(parsing: request.body).at(["message"]))
        #expect(message.at(["token"]) == "fcm:token")
        #expect(message.at(["apns", "live_activity_token"]) == "a1b2")
        #expect(message.at(["apns", "headers", "apns-priority"]) == "10")
        #expect(message.at(["apns", "payload", "aps", "event"]) == "start")
        #expect(message.at(["data"]) == nil)
        let outcome = FCMStandIn().receive(sinkRequest(request), credential: .valid, id: FCMStandInTests.id)
        #expect(outcome.reply.status == 200)
        #expect(outcome.shown.first?.activity?.event == .start)
    }

    @Test func `an Android app gets a data message, in place of an earlier one that waits`() throws {
        let request = fcm(push(token: nil))
        let message = try #require(try JSONValue(parsing: request.body).at(["message"]))
        #expect(message.at(["android", "priority"]) == "HIGH")
        #expect(message.at(["android", "ttl"]) == "600s")
        #expect(message.at(["notification"]) == nil)
        let collapse = try #require(message.at(["android", "collapse_key"])?.string)
        #expect(collapse == push(Self.content(.update)).collapseID)
        let data = try #require(message.at(["data", "belfryActivity"])?.string)
        let told = try JSONValue(parsing: Array(data.utf8))
        #expect(told.at(["event"]) == "start")
        #expect(told.at(["key"]) == "order-42")
        #expect(told.at(["type"]) == "OrderAttributes")
        #expect(told.at(["state", "step"]) == "packed")
        #expect(told.at(["staleAt"]) == 1_764_000_900)
        let outcome = FCMStandIn().receive(sinkRequest(request), credential: .valid, id: FCMStandInTests.id)
        #expect(outcome.reply.status == 200)
        #expect(outcome.shown.first?.activity?.content["key"] == "order-42")
    }

    @Test func `the stand-in for FCM refuses a wrong payload and a wrong token`() throws {
        for (path, value) in [("live_activity_token", "no hex"), ("payload", "{}")] {
            let body =
                path == "payload"
                ? #"{"message":{"token":"fcm:token","apns":{"live_activity_token":"a1","payload":{"aps":{}}}}}"#
                : #"{"message":{"token":"fcm:token","apns":{"live_activity_token":"\#(value)"}}}"#
            var request = sinkRequest(fcm(push()))
            request.body = Array(body.utf8)
            let outcome = FCMStandIn().receive(request, credential: .valid, id: FCMStandInTests.id)
            #expect(outcome.reply.status == 400)
            #expect(text(outcome.reply.body).contains("INVALID_ARGUMENT"))
        }
    }

    // MARK: On the screen

    @Test func `a phone shows the newest state, and ignores an earlier timestamp`() {
        func shown(_ event: ActivityContent.Event, _ timestamp: Int64) -> ShownPush {
            ShownPush(
                device: "a1", title: nil, body: nil, badge: nil, thread: nil, collapseID: "order-42", data: [:],
                activity: ShownActivity(event: event, timestamp: timestamp, content: ["at": .int(timestamp)]))
        }
        var screen = LockScreen()
        screen.apply(shown(.start, 10), at: now)
        screen.apply(shown(.update, 12), at: now)
        screen.apply(shown(.update, 11), at: now)
        #expect(screen.activities.map(\.shown.timestamp) == [12])
        #expect(screen.activities.map(\.pushes) == [2])
        #expect(screen.cards.isEmpty)
        screen.apply(shown(.end, 13), at: now)
        #expect(screen.activities.map(\.shown.event) == [.end])
    }

    @Test func `what is printed of a push has no token and no text`() {
        #expect("\(push())" == "start of an activity")
        #expect(!"\(fcm(push()))".contains("a1b2"))
    }
}

extension PushRequest {
    fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
