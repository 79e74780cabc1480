import Inbox
import JSON
import Push
import Testing

struct FCMStandInTests {
    static let id = "123e4567-e89b-12d3-a456-426614174000"
    let standIn = FCMStandIn(projectID: "field-app-1")
    let phone = device(token: "fcm:token", provider: .fcm)

    private func sent(_ message: PushMessage = message(fullContent())) throws -> PushRequest {
        try #require(
            PushRequest(
                fcm: message, to: phone, settings: FCMSettings(projectID: "field-app-1"), accessToken: "ya29.x",
                at: now))
    }

    private func request(_ body: String, path: String = "/v1/projects/field-app-1/messages:send") -> SinkRequest {
        SinkRequest(
            method: "POST", path: path, headers: [("authorization", "Bearer ya29.x")], body: Array(body.utf8))
    }

    private func outcome(_ request: SinkRequest, credential: CredentialCheck = .valid) -> StandInOutcome {
        standIn.receive(request, credential: credential, id: Self.id)
    }

    @Test func `our own sender's pushes are accepted and shown`() throws {
        let request = sinkRequest(try sent())
        #expect(standIn.device(of: request) == "fcm:token")
        let outcome = outcome(request)
        #expect(outcome.reply.status == 200)
        #expect(text(outcome.reply.body) == #"{"name":"projects/field-app-1/messages/\#(Self.id)"}"#)
        let shown = try #require(outcome.shown.first)
        #expect(shown.device == "fcm:token")
        #expect(shown.title == "New Content")
        #expect(shown.body == "Pete added a photo in Italian Vacation")
        #expect(shown.badge == 3)
        #expect(shown.thread == "room:789")
        #expect(shown.collapseID == fullContent().replacementID)
        let own: JSONValue = ["id": "nc-9l", "rev": 1, "epoch": "e1", "seq": 345]
        #expect(shown.data == ["type": "element_added", "roomId": "room-789", "belfry": own])
    }

    @Test func `notifications that go from the screen are told`() throws {
        let shown = try #require(outcome(sinkRequest(try sent(badgeOnly()))).shown.first)
        #expect(shown.title == nil)
        #expect(shown.badge == 2)
        #expect(shown.withdrawn == ["nc-9k", "nc-9j"])
    }

    @Test func `every kind of message is accepted, however long`() throws {
        let long = content(body: String(repeating: "日本語\"", count: 4_000))
        for message in [message(), message(long), badgeOnly(), wakeUp(), message(fullContent(), count: 7)] {
            #expect(outcome(sinkRequest(try sent(message))).reply.status == 200)
        }
    }

    @Test func `an access token is needed, a good one`() throws {
        for credential in [CredentialCheck.missing, .expired, .invalid] {
            let reply = outcome(sinkRequest(try sent()), credential: credential).reply
            #expect(reply.status == 401)
            #expect(FCMVerdict(reply, at: now).isTokenExpired)
        }
        var request = sinkRequest(try sent())
        request.headers = []
        #expect(outcome(request).reply.status == 401)
    }

    @Test(arguments: [
        ("/v1/projects/other/messages:send", 403), ("/v1/projects//messages:send", 404),
        ("/v1/projects/field-app-1/messages", 404), ("/v2/projects/field-app-1/messages:send", 404), ("/", 404),
    ])
    func `another project or path is refused`(path: String, status: Int) throws {
        #expect(outcome(sinkRequest(try sent(), path: path)).reply.status == status)
        #expect(outcome(sinkRequest(try sent(), method: "GET")).reply.status == 404)
    }

    @Test(
        arguments: [
            ("", "Invalid JSON payload received.", nil), ("[]", "Invalid value at '' (TYPE_MESSAGE), []", ""),
            ("{}", "Message is missing.", "message"),
            (
                #"{"message":{"token":"t123","color":"red"}}"#,
                "Invalid JSON payload received. Unknown name \"color\" at 'message': Cannot find field.", "message"
            ),
            (
                #"{"message":{"token":"t123","data":{"a":"b","n":12}}}"#,
                "Invalid value at 'message.data[1].value' (TYPE_STRING), 12", "message.data[1].value"
            ),
            (
                #"{"message":{"token":"t123","android":{"notification":{"notification_count":"3"}}}}"#,
                "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \"3\"",
                "message.android.notification.notification_count"
            ),
            (
                #"{"message":{"token":"t123","android":{"ttl":"3600"}}}"#,
                "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), \"3600\"",
                "message.android.ttl"
            ),
            (
                #"{"message":{"token":"t123","data":{"from":"x"}}}"#, "Invalid data payload key: from",
                "message.data[0].key"
            ),
            (#"{"message":{}}"#, "Exactly one of token, topic or condition is required.", "message"),
            (
                #"{"message":{"token":"a b c"}}"#, "The registration token is not a valid FCM registration token", nil
            ),
            (
                #"{"message":{"token":"t123","webpush":{"headers":{"Topic":"n1-10"}}}}"#, "Invalid Topic.",
                "message.webpush.headers"
            ),
            (
                #"{"message":{"token":"t123","apns":{"headers":{"apns-priority":"10"}}}}"#,
                "Only priority 5 is allowed for APNs messages without an alert.", "message.apns.headers"
            ),
        ] as [(String, String, String?)])
    func `a wrong message is refused in Google's words`(body: String, message: String, field: String?) throws {
        let reply = outcome(request(body)).reply
        #expect(reply.status == 400)
        let error = try JSONValue(parsing: reply.body).at(["error"])
        #expect(error?.at(["status"]) == "INVALID_ARGUMENT")
        #expect(error?.at(["message"])?.string == message)
        let fields = (error?.at(["details"])?.array ?? [])
            .compactMap { $0.at(["fieldViolations"])?.array?.first?.at(["field"])?.string }
        #expect(fields.first == field)
    }

    @Test func `a message of more than four kilobytes is refused`() {
        let long = String(repeating: "x", count: 4_100)
        #expect(outcome(request(#"{"message":{"token":"t123","data":{"a":"\#(long)"}}}"#)).reply.status == 400)
        #expect(
            outcome(request(#"{"message":{"token":"t123","data":{"a":"\#(long.dropLast(200))"}}}"#)).reply.status == 200
        )
    }

    @Test func `Google takes both spellings, and a rehearsal shows nothing`() {
        let body = #"{"validate_only":true,"message":{"token":"t123","android":{"collapseKey":"k"}}}"#
        #expect(outcome(request(body)).reply.status == 200)
        #expect(outcome(request(body)).shown.isEmpty)
    }

    @Test(arguments: [
        (404, "UNREGISTERED", Verdict.deviceGone(since: nil)),
        (403, "SENDER_ID_MISMATCH", .refused(reason: "SENDER_ID_MISMATCH")),
        (429, "QUOTA_EXCEEDED", .busy(retryAfter: .seconds(7), scope: .provider)),
        (
            401, "THIRD_PARTY_AUTH_ERROR",
            .keyRefused("THIRD_PARTY_AUTH_ERROR", retryAfter: .seconds(7), scope: .device)
        ),
        (500, "INTERNAL", .busy(retryAfter: .seconds(7), scope: .provider)),
        (503, "UNAVAILABLE", .busy(retryAfter: .seconds(7), scope: .provider)),
        (400, "INVALID_ARGUMENT", .refused(reason: "INVALID_ARGUMENT")),
    ])
    func `a scripted answer leads to the verdict it stands for`(status: Int, reason: String, verdict: Verdict) {
        let answer = SinkFault.Answer(status: status, reason: reason, retryAfter: .seconds(7))
        #expect(FCMVerdict(standIn.reply(answer, to: request(""), id: Self.id), at: now).verdict == verdict)
    }
}
