package import Inbox
import JSON

/// Judges requests as a browser's push service does, and reads them as the browser, so that a sender can be tested
/// without either.
///
/// Follows RFC 8030 §5, RFC 8291 §4 and RFC 8292 §4.2; its errors have the form and numbers of Mozilla's service
/// (autopush, "Error Codes"), with Apple's words. A request that any one service refuses is refused: a topic that Apple
/// cannot decode, a subject that Apple does not believe, a time to live of zero, which Microsoft calls a conflict. It
/// is stricter than all: real services accept a body that the browser cannot decrypt, or that it takes for a declarative
/// message and cannot read.
package struct WebPushStandIn: ProviderStandIn {
    static let pathPrefix = "/webpush/"

    /// The beginning of its subscribers' endpoints: `https://localhost:4443`, without a slash at the end.
    package let baseURL: String
    /// The subscribers by id; an absent one has unsubscribed.
    package var subscribers: [String: WebPushSubscriber]

    package init(baseURL: String, subscribers: [String: WebPushSubscriber] = [:]) {
        self.baseURL = baseURL
        self.subscribers = subscribers
    }

    /// Judges a request's VAPID credential, for ``receive(_:credential:id:)``.
    ///
    /// - Parameter audiences: the origins under which this service is reached.
    package func credential(of request: SinkRequest, audiences: Set<String>, at now: Timestamp) -> CredentialCheck {
        guard let header = request.header("authorization") else { return .missing }
        guard let credential = VAPIDCredential(header) else { return .invalid }
        let subscriber = Self.id(in: request).flatMap { subscribers[$0] }
        if let key = subscriber?.applicationServerKey, key != credential.publicKey { return .invalid }
        return credential.check(audiences: audiences, at: now)
    }

    package func device(of request: SinkRequest) -> String? {
        Self.id(in: request).map { subscribers[$0]?.endpoint ?? baseURL + Self.pathPrefix + $0 }
    }

    package func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome {
        do {
            let shown = try judge(request, credential: credential)
            let headers = [
                (name: "location", value: "\(baseURL)/message/\(id)"),
                (name: "ttl", value: request.header("ttl") ?? "0"),
            ]
            return StandInOutcome(reply: PushReply(status: 201, headers: headers), shown: [shown])
        } catch {
            return StandInOutcome(reply: error.reply)
        }
    }

    /// A reason is sent in Apple's form, `{"reason":"VapidPkHashMismatch"}`; without one the reply has Mozilla's form.
    package func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply {
        var reply = WebPushServiceError(answer.status, errno: Self.numbers[answer.status], "scripted").reply
        if let reason = answer.reason {
            var json = JSONWriter()
            json.object { $0.member("reason", reason) }
            reply.body = json.bytes
        }
        if (200..<300).contains(answer.status) { (reply.headers, reply.body) = ([], []) }
        if let delay = answer.retryAfter {
            reply.headers.append(("retry-after", String(delay.components.seconds)))
        }
        return reply
    }

    /// Mozilla's usual numbers for a status.
    private static let numbers = [401: 109, 403: 109, 404: 102, 410: 106, 413: 104, 429: 201, 500: 999, 503: 201]

    /// The letters, digits, `-` and `_` behind the prefix; nil for another path.
    private static func id(in request: SinkRequest) -> String? {
        let path = request.path.prefix { $0 != "?" }
        guard path.hasPrefix(pathPrefix) else { return nil }
        let id = path.dropFirst(pathPrefix.count)
        return !id.isEmpty && Base64URL.isAlphabet(id) ? String(id) : nil
    }
}

extension WebPushStandIn {
    private func judge(
        _ request: SinkRequest, credential: CredentialCheck
    ) throws(WebPushServiceError) -> ShownPush {
        guard request.method == "POST" else { throw WebPushServiceError(405, "Method Not Allowed") }
        guard let id = Self.id(in: request) else { throw WebPushServiceError(404, errno: 102, "Invalid URL endpoint") }
        guard let subscriber = subscribers[id] else {
            throw WebPushServiceError(410, errno: 106, "Invalid subscription")
        }
        try Self.check(credential, of: request, for: subscriber)
        try Self.checkHeaders(request)
        guard request.body.count <= WebPushEncryption.maximumBodyBytes else {
            throw WebPushServiceError(413, errno: 104, "Data payload too large")
        }
        return try Self.shown(request, by: subscriber)
    }

    private static func check(
        _ credential: CredentialCheck, of request: SinkRequest, for subscriber: WebPushSubscriber
    ) throws(WebPushServiceError) {
        switch credential {
        case .valid: break
        case .missing: throw WebPushServiceError(401, errno: 109, "Missing Authorization header")
        case .expired: throw WebPushServiceError(403, errno: 109, "The VAPID token has expired", reason: "BadJwtToken")
        case .invalid:
            let sender = request.header("authorization").flatMap(VAPIDCredential.init)?.publicKey
            guard let sender, let expected = subscriber.applicationServerKey, sender != expected else {
                throw WebPushServiceError(
                    403, errno: 109, "The VAPID token is not valid here", reason: "BadJwtToken")
            }
            throw WebPushServiceError(
                403, errno: 109, "The subscription is another sender's", reason: "VapidPkHashMismatch")
        }
    }

    private static func checkHeaders(_ request: SinkRequest) throws(WebPushServiceError) {
        for name in ["ttl", "urgency", "topic", "content-encoding"] where request.values(of: name).count > 1 {
            throw WebPushServiceError(400, errno: 110, "\(name) comes twice")
        }
        guard let ttl = request.header("ttl") else { throw WebPushServiceError(400, errno: 111, "Missing TTL header") }
        guard !ttl.isEmpty, ttl.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(ttl),
            seconds <= maximumTTL
        else { throw WebPushServiceError(400, errno: 112, "Invalid TTL header value") }
        guard seconds > 0 else {
            throw WebPushServiceError(
                400, "Invalid TTL header value", windowsDescription: "Ttl value conflicts with X-WNS-Cache-Policy.")
        }
        if let topic = request.header("topic"), !WebPushTopic.isTaken(topic) {
            throw WebPushServiceError(400, errno: 113, "Invalid Topic header value", reason: "BadWebPushTopic")
        }
        if let urgency = request.header("urgency"), !["very-low", "low", "normal", "high"].contains(urgency) {
            throw WebPushServiceError(400, "Invalid Urgency header value")
        }
        guard request.header("content-encoding") == "aes128gcm" else {
            throw WebPushServiceError(400, errno: 110, "Unknown Content-Encoding")
        }
    }

    /// autopush: "between 0 and 2592000".
    private static let maximumTTL = 2_592_000

    private static func shown(
        _ request: SinkRequest, by subscriber: WebPushSubscriber
    ) throws(WebPushServiceError) -> ShownPush {
        let text: [UInt8]
        do {
            text = try subscriber.decrypt(request.body)
        } catch {
            throw WebPushServiceError(400, errno: 110, "The browser cannot decrypt it: \(error)")
        }
        guard let payload = try? JSONValue(parsing: text).object else {
            throw WebPushServiceError(400, "The service worker cannot read it: no JSON object")
        }
        if DeclarativePush.isMeant(by: payload) { return try shownByBrowser(payload, subscriber) }
        var data = payload["data"]?.object ?? [:]
        data[PushMessage.ownMember] = payload[PushMessage.ownMember]
        return ShownPush(
            device: subscriber.endpoint, title: payload["title"]?.string, body: payload["body"]?.string,
            badge: payload["badge"]?.int, thread: payload["group"]?.string, collapseID: payload["tag"]?.string,
            data: data, withdrawn: PushMessage.withdrawn(in: payload[PushMessage.ownMember]))
    }

    /// What a browser shows that needs no service worker for it.
    private static func shownByBrowser(
        _ payload: JSONObject, _ subscriber: WebPushSubscriber
    ) throws(WebPushServiceError) -> ShownPush {
        let push: DeclarativePush
        do {
            push = try DeclarativePush(payload)
        } catch {
            throw WebPushServiceError(400, "No browser takes it as a declarative push message: \(error.reason)")
        }
        return ShownPush(
            device: subscriber.endpoint, title: push.title, body: push.body, badge: push.appBadge,
            thread: payload["group"]?.string, collapseID: push.tag, data: push.data,
            withdrawn: PushMessage.withdrawn(in: push.data[PushMessage.ownMember]))
    }
}
