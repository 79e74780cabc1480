import Crypto
import Inbox
import JSON
import Push
import Testing

struct WebPushStandInTests {
    static let id = "123e4567-e89b-12d3-a456-426614174000"
    let standIn: WebPushStandIn

    init() throws {
        let key = try VAPIDKey(vapidKeyText).publicKey
        standIn = WebPushStandIn(
            baseURL: pushService, subscribers: ["sub-1": try subscriber(applicationServerKey: key)])
    }

    /// A good request with some of its headers replaced; nil removes one.
    private func request(
        method: String = "POST", path: String = "/webpush/sub-1", body: [UInt8]? = nil,
        replacing changes: [String: String?] = [:]
    ) throws -> SinkRequest {
        var request = SinkRequest(try #require(try webPush(message())))
        request.method = method
        request.path = path
        if let body { request.body = body }
        for (name, value) in changes {
            request.headers.removeAll { $0.name == name }
            if let value { request.headers.append((name, value)) }
        }
        return request
    }

    private func credential(_ request: SinkRequest, at moment: Timestamp = now) -> CredentialCheck {
        standIn.credential(of: request, audiences: [pushService], at: moment)
    }

    @Test func `our own sender's pushes are accepted and shown`() throws {
        let request = try request()
        #expect(standIn.device(of: request) == pushService + "/webpush/sub-1")
        let outcome = standIn.receive(request, credential: credential(request), id: Self.id)
        #expect(outcome.reply.status == 201)
        #expect(outcome.reply.header("location") == "https://push.example:4443/message/" + Self.id)
        #expect(outcome.reply.header("ttl") == "3600")
        let shown = try #require(outcome.shown.first)
        #expect(outcome.shown.count == 1)
        #expect(shown.device == pushService + "/webpush/sub-1")
        #expect(shown.title == "New Content")
        #expect(shown.body == "Pete added a photo in Italian Vacation")
        #expect(shown.badge == 3)
        #expect(shown.thread == "room:789")
        #expect(shown.collapseID == "nc-9l")
        #expect(
            shown.data == [
                "type": "element_added", "roomId": "room-789",
                "belfry": ["id": "nc-9l", "rev": 1, "epoch": "e1", "seq": 345],
            ])
        #expect(shown.withdrawn.isEmpty)
    }

    @Test(
        arguments: [
            ("ttl", nil, 400, 111), ("ttl", "", 400, 112), ("ttl", "-1", 400, 112), ("ttl", "soon", 400, 112),
            ("ttl", "2592001", 400, 112), ("topic", "a b", 400, 113), ("topic", "", 400, 113),
            ("topic", String(repeating: "t", count: 33), 400, 113), ("urgency", "urgent", 400, nil),
            ("content-encoding", nil, 400, 110), ("content-encoding", "aesgcm", 400, 110),
        ] as [(String, String?, Int, Int64?)])
    func `a wrong header is refused with its number`(name: String, value: String?, status: Int, number: Int64?) throws {
        let outcome = standIn.receive(try request(replacing: [name: value]), credential: .valid, id: Self.id)
        #expect(outcome.reply.status == status)
        #expect(try JSONValue(parsing: outcome.reply.body).at(["errno"])?.int == number)
        #expect(outcome.shown.isEmpty)
    }

    @Test func `a push without time to live is refused as Microsoft's service does it`() throws {
        let reply = standIn.receive(try request(replacing: ["ttl": "0"]), credential: .valid, id: Self.id).reply
        #expect((reply.status, reply.body) == (400, []))
        let reason = "HTTP 400, WNS: Ttl value conflicts with X-WNS-Cache-Policy"
        #expect(WebPushVerdict(reply, bodyBytes: 400, at: now).verdict == .refused(reason: reason))
    }

    @Test func `a sender with another key than the subscription's is told so`() throws {
        let request = try request()
        func verdict(_ standIn: WebPushStandIn) -> Verdict {
            let credential = standIn.credential(of: request, audiences: [pushService], at: now)
            let reply = standIn.receive(request, credential: credential, id: Self.id).reply
            return WebPushVerdict(reply, bodyBytes: request.body.count, at: now).verdict
        }
        var other = standIn
        other.subscribers["sub-1"] = try subscriber(applicationServerKey: "BAAA")
        #expect(verdict(other) == .refused(reason: "VapidPkHashMismatch"))
        let late = standIn.receive(request, credential: .expired, id: Self.id).reply
        #expect(WebPushVerdict(late, bodyBytes: 400, at: now).verdict == .keyRefused("BadJwtToken", scope: .device))
    }

    @Test func `a header that comes twice is refused`() throws {
        var twice = try request()
        twice.headers.append((name: "ttl", value: "1"))
        #expect(standIn.receive(twice, credential: .valid, id: Self.id).reply.status == 400)
    }

    @Test(arguments: [
        ("/webpush/", 404), ("/webpush/a/b", 404), ("/webpush/a%2F", 404), ("/", 404), ("/webpush/other", 410),
        ("/webpush/sub-1?x=1", 201),
    ])
    func `a path that names no subscription is gone`(path: String, status: Int) throws {
        #expect(standIn.receive(try request(path: path), credential: .valid, id: Self.id).reply.status == status)
    }

    @Test func `another method is refused`() throws {
        #expect(standIn.receive(try request(method: "GET"), credential: .valid, id: Self.id).reply.status == 405)
    }

    @Test func `a body that is too large, for another browser or no JSON is refused`() throws {
        func status(_ body: [UInt8]) throws -> Int {
            standIn.receive(try request(body: body), credential: .valid, id: Self.id).reply.status
        }
        #expect(try status([UInt8](repeating: 1, count: 4_097)) == 413)
        #expect(try status([]) == 400)
        let other = WebPushSubscriber.random(id: "other", baseURL: pushService, applicationServerKey: nil)
        let strange = try WebPushEncryption.encrypt(Array("{}".utf8), for: try #require(other.keys), secrets: .random())
        #expect(try status(strange) == 400)
        #expect(try status(try bytes(RFC8291.body)) == 400)
    }

    @Test(
        arguments: [(.missing, 401), (.expired, 403), (.invalid, 403), (.valid, 201)] as [(CredentialCheck, Int)])
    func `a credential decides`(check: CredentialCheck, status: Int) throws {
        #expect(standIn.receive(try request(), credential: check, id: Self.id).reply.status == status)
    }

    @Test func `a credential is good until its end, at the service it names`() throws {
        let request = try request()
        #expect(credential(request) == .valid)
        #expect(credential(request, at: now + .seconds(12 * 3_600 - 1)) == .valid)
        #expect(credential(request, at: now + .seconds(12 * 3_600)) == .expired)
        #expect(credential(request, at: now - .seconds(12 * 3_600)) == .valid)
        #expect(credential(request, at: now - .seconds(12 * 3_600 + 1)) == .invalid)
        #expect(standIn.credential(of: request, audiences: ["https://other.example"], at: now) == .invalid)
    }

    @Test func `a credential of another form, key or signature is not good`() throws {
        #expect(credential(try request(replacing: ["authorization": nil])) == .missing)
        let good = try #require(try request().header("authorization"))
        let token = good.dropFirst("vapid t=".count).prefix { $0 != "," }
        let key = RFC8291.browserPublicKey
        #expect(credential(try request(replacing: ["authorization": "Vapid k=\(key),t=\(token)"])) == .valid)
        let otherKey = Base64URL.encode(P256.Signing.PrivateKey().publicKey.x963Representation)
        let wrong = [
            "", "vapid", "bearer \(token)", "vapid t=\(token)", "vapid k=\(key)", "vapid t=\(token), k=\(otherKey)",
            "vapid t=\(token.dropLast(4))AAAA, k=\(key)", "vapid t=a.b.c, k=\(key)", "vapid t=\(token), k=AAAA",
            "vapid t, k",
        ]
        for header in wrong {
            #expect(credential(try request(replacing: ["authorization": header])) == .invalid, "\(header)")
        }
    }

    @Test(arguments: [
        #"{"aud":"https://push.example:4443","exp":1764003600}"#,
        #"{"aud":"https://push.example:4443","exp":1764003600,"sub":"me"}"#,
        #"{"aud":"https://push.example:4443","exp":1764003600,"sub":"mailto:ops@localhost"}"#,
        #"{"aud":"https://push.example:4443","exp":1764003600,"sub":"https://localhost"}"#,
        #"{"aud":"https://push.example:4443","sub":"mailto:a@b.example"}"#,
        #"{"exp":1764003600,"sub":"mailto:a@b.example"}"#,
        #"{"aud":"https://push.example:4443","exp":1764086401,"sub":"mailto:a@b.example"}"#,
    ])
    func `claims that are wrong or missing are not good, however well signed`(_ claims: String) throws {
        let key = try P256.Signing.PrivateKey(rawRepresentation: try bytes(vapidKeyText))
        func check(_ claims: String) throws -> CredentialCheck {
            let input = Base64URL.encode(#"{"alg":"ES256"}"#.utf8) + "." + Base64URL.encode(claims.utf8)
            let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
            let header = "vapid t=\(input).\(Base64URL.encode(signature)), k=\(RFC8291.browserPublicKey)"
            return credential(try request(replacing: ["authorization": header]))
        }
        #expect(try check(claims) == .invalid)
        #expect(
            try check(#"{"aud":["https://push.example:4443"],"exp":1764003600,"sub":"mailto:a@b.example"}"#) == .valid)
    }

    @Test func `any key is good for a subscription that is not bound to one`() throws {
        var open = standIn
        open.subscribers["sub-1"] = try subscriber()
        let request = try request()
        #expect(open.credential(of: request, audiences: [pushService], at: now) == .valid)
        open.subscribers["sub-1"] = try subscriber(applicationServerKey: "BAAA")
        #expect(open.credential(of: request, audiences: [pushService], at: now) == .invalid)
    }

    @Test func `a subscriber survives being stored`() throws {
        let key = try VAPIDKey(vapidKeyText).publicKey
        let first = WebPushSubscriber.random(id: "a-1", baseURL: pushService, applicationServerKey: key)
        let second = try #require(WebPushSubscriber(try JSONValue(parsing: first.storedJSON)))
        #expect(second.storedJSON == first.storedJSON)
        #expect(second.keys == first.keys)
        #expect(second.applicationServerKey == key)
        #expect(WebPushSubscriber(["id": "a"]) == nil)
    }

    @Test(
        arguments: [
            (SinkFault.Answer(status: 410), .deviceGone(since: nil)),
            (SinkFault.Answer(status: 429, retryAfter: .seconds(7)), .busy(retryAfter: .seconds(7), scope: .device)),
            (SinkFault.Answer(status: 503), .busy(retryAfter: nil, scope: .device)),
            (
                SinkFault.Answer(status: 401),
                .keyRefused("HTTP 401, errno 109: invalid authentication", scope: .device)
            ),
            (SinkFault.Answer(status: 403, reason: "VapidPkHashMismatch"), .refused(reason: "VapidPkHashMismatch")),
            (SinkFault.Answer(status: 403, reason: "BadJwtToken"), .keyRefused("BadJwtToken", scope: .device)),
            (SinkFault.Answer(status: 201), .accepted),
        ] as [(SinkFault.Answer, Verdict)])
    func `a scripted answer leads to the verdict it stands for`(answer: SinkFault.Answer, verdict: Verdict) throws {
        #expect(
            WebPushVerdict(standIn.reply(answer, to: try request(), id: Self.id), bodyBytes: 4_096, at: now).verdict
                == verdict)
    }
}
