import Inbox
import JSON
import Push
import Testing

struct OneSignalStandInTests {
    static let id = "123e4567-e89b-12d3-a456-426614174000"
    let standIn = OneSignalStandIn(appID: oneSignalApp)
    let phone = device(token: subscription, provider: .onesignal)

    private func sent(_ message: PushMessage = message(fullContent()), to device: Device? = nil) throws -> SinkRequest {
        let settings = OneSignalSettings(appID: oneSignalApp, apiKey: "k")
        return sinkRequest(
            try #require(PushRequest(oneSignal: message, to: device ?? phone, settings: settings, at: now)))
    }

    private func outcome(_ request: SinkRequest, credential: CredentialCheck = .valid) -> StandInOutcome {
        standIn.receive(request, credential: credential, id: Self.id)
    }

    /// A good request's members with one of them replaced.
    private func request(_ key: String, _ value: JSONValue?) throws -> SinkRequest {
        var request = try sent(message())
        var body = try #require(try JSONValue(parsing: request.body).object)
        body[key] = value
        request.body = JSONValue.object(body).encoded
        return request
    }

    @Test func `our own sender's pushes are accepted and shown`() throws {
        let request = try sent()
        #expect(request.path == "/notifications?c=push")
        #expect(standIn.device(of: request) == subscription)
        let outcome = outcome(request)
        #expect(OneSignalVerdict(outcome.reply, to: subscription, at: now).verdict == .accepted)
        let shown = try #require(outcome.shown.first)
        #expect(shown.device == subscription)
        #expect(shown.title == "New Content")
        #expect(shown.body == "Pete added a photo in Italian Vacation")
        #expect(shown.badge == 3)
        #expect(shown.thread == "room:789")
        #expect(shown.collapseID == fullContent().replacementID)
        let own: JSONValue = ["id": "nc-9l", "rev": 1, "epoch": "e1", "seq": 345]
        #expect(shown.data == ["type": "element_added", "roomId": "room-789", "belfry": own])
    }

    @Test func `a user's id is the address of a push to all of the user's devices`() throws {
        let request = try sent(to: device(token: "user:auth0|77", provider: .onesignal))
        #expect(standIn.device(of: request) == "user:auth0|77")
        #expect(outcome(request).shown.map(\.device) == ["user:auth0|77"])
    }

    @Test func `every kind of message is accepted, however long`() throws {
        let long = content(body: String(repeating: "日本語\"", count: 4_000))
        for message in [message(), message(long), badgeOnly(), wakeUp(), message(fullContent(), count: 7)] {
            #expect(outcome(try sent(message)).reply.status == 200)
        }
        #expect(outcome(try sent(badgeOnly())).shown.first?.withdrawn == ["nc-9k", "nc-9j"])
    }

    @Test func `the key is needed`() throws {
        for credential in [CredentialCheck.missing, .expired, .invalid] {
            let reply = outcome(try sent(), credential: credential).reply
            #expect(reply.status == 403)
            #expect(OneSignalVerdict(reply, to: subscription, at: now).verdict == .keyRefused("access denied"))
        }
        var request = try sent()
        request.headers[0].value = "Bearer k"
        #expect(outcome(request).reply.status == 403)
    }

    @Test func `both paths are OneSignal's, others are not`() throws {
        var request = try sent()
        for (path, status) in [("/api/v1/notifications", 200), ("/notifications", 200), ("/notification", 404)] {
            request.path = path
            #expect(outcome(request).reply.status == status)
        }
        request.path = "/notifications"
        request.method = "GET"
        #expect(outcome(request).reply.status == 404)
    }

    @Test(
        arguments: [
            ("app_id", nil, "wrong app_id"), ("app_id", "7", "wrong app_id"),
            ("app_id", "00000000-de88-4b0a-a5eb-5c18b84d52f3", "wrong app_id"),
            ("include_subscription_ids", nil, "HTTP 400"), ("include_subscription_ids", [], "HTTP 400"),
            ("include_subscription_ids", ["a1b2"], "no subscription id"),
            ("include_aliases", ["external_id": ["u"]], "HTTP 400"), ("contents", nil, "no contents"),
            ("contents", ["de": "Hallo"], "no contents"), ("idempotency_key", "retry-1", "wrong idempotency_key"),
            ("ios_badgeType", "Set", "HTTP 400"), ("ios_badgeCount", "3", "HTTP 400"), ("priority", 11, "HTTP 400"),
            ("collapse_id", .string(String(repeating: "c", count: 65)), "HTTP 400"), ("ttl", -1, "HTTP 400"),
            ("data", "text", "HTTP 400"), ("data", ["a": .string(String(repeating: "x", count: 2_048))], "HTTP 400"),
        ] as [(String, JSONValue?, String)])
    func `a wrong message is refused`(key: String, value: JSONValue?, reason: String) throws {
        let outcome = outcome(try request(key, value))
        #expect(outcome.reply.status == 400)
        #expect(outcome.shown.isEmpty)
        // A wrong app is a wrong setting: the push waits.
        let expected: Verdict = key == "app_id" ? .keyRefused(reason) : .refused(reason: reason)
        #expect(OneSignalVerdict(outcome.reply, to: subscription, at: now).verdict == expected)
    }

    @Test(arguments: ["", "[]", "{"])
    func `a body that is no object is refused`(body: String) throws {
        var request = try sent()
        request.body = Array(body.utf8)
        #expect(standIn.device(of: request) == nil)
        #expect(outcome(request).reply.status == 400)
    }

    static let gone = Verdict.deviceGone(since: now - .seconds(600))

    @Test(
        arguments: [
            (200, "invalid_subscription_ids", gone), (200, "invalid_player_ids", gone),
            (200, nil, .refused(reason: "not subscribed")),
            (429, "API rate limit exceeded", .busy(retryAfter: .seconds(7), scope: .provider)),
            (503, nil, .busy(retryAfter: .seconds(7), scope: .provider)), (400, nil, .refused(reason: "HTTP 400")),
        ] as [(Int, String?, Verdict)])
    func `a scripted answer leads to the verdict it stands for`(status: Int, reason: String?, verdict: Verdict) throws {
        let answer = SinkFault.Answer(status: status, reason: reason, retryAfter: .seconds(7))
        let reply = standIn.reply(answer, to: try sent(), id: Self.id)
        #expect(OneSignalVerdict(reply, to: subscription, at: now).verdict == verdict)
    }

    @Test func `a user that OneSignal does not know is gone`() throws {
        let user = "user:auth0|77"
        let request = try sent(to: device(token: user, provider: .onesignal))
        let reply = standIn.reply(SinkFault.Answer(status: 200, reason: "invalid_aliases"), to: request, id: Self.id)
        #expect(OneSignalVerdict(reply, to: user, at: now).verdict == Self.gone)
    }

    @Test(arguments: ["0", "1", "-1", "null", "NULL", "Na", "all", "00000000-0000-0000-0000-000000000000"])
    func `an external id that may stand for everybody reaches nobody`(id: String) throws {
        #expect(OneSignalExternalID.isRestricted(id))
        let outcome = outcome(try sent(to: device(token: "user:" + id, provider: .onesignal)))
        #expect(outcome.shown.isEmpty)
        #expect(OneSignalVerdict(outcome.reply, to: "user:" + id, at: now).verdict == Self.gone)
    }

    @Test(arguments: ["10", "-2", "01", "nullable", "all-star", "nana", "user-1"])
    func `an external id that only begins like one of those is anybody's`(id: String) {
        #expect(!OneSignalExternalID.isRestricted(id))
    }
}
