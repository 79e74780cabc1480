import Inbox
import JSON

/// Judges requests as APNs does, so that a sender can be tried without Apple.
///
/// Follows Apple's "Sending notification requests to APNs" and the tables of "Handling notification responses from
/// APNs". Faults are not its business: a ``SinkScript`` decides on them before.
package struct APNsStandIn: Sendable {
    /// What is known about a request's provider token; checking a signature needs the key and happens outside.
    package enum TokenCheck: Sendable, Hashable {
        case valid, expired, invalid
    }

    /// A judged request: the reply, and what a phone shows if it was accepted.
    package struct Outcome: Sendable {
        package let reply: PushReply
        package let shown: ShownPush?
    }

    /// The bundle ids for which the token is good; nil for any.
    package var topics: Set<String>?

    package init(topics: Set<String>? = nil) { self.topics = topics }

    /// - Parameter id: a fresh UUID in lower case, the `apns-id` of a request that brings none.
    package func receive(_ request: SinkRequest, token: TokenCheck, id: String) -> Outcome {
        do {
            return Outcome(reply: Self.reply(200, id: id, of: request), shown: try judge(request, token: token))
        } catch {
            return Outcome(reply: Self.reply(error.status, id: id, of: request, body: error.body), shown: nil)
        }
    }

    /// A scripted answer in APNs's form.
    package static func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply {
        var reply = reply(
            answer.status, id: id, of: request,
            body: answer.reason.map { refusalBody(reason: $0, timestamp: answer.timestamp) } ?? [])
        if let delay = answer.retryAfter {
            reply.headers.append(("retry-after", String(delay.components.seconds)))
        }
        return reply
    }

    private static func reply(_ status: Int, id: String, of request: SinkRequest, body: [UInt8] = []) -> PushReply {
        var headers = [(name: "apns-id", value: request.header("apns-id") ?? id)]
        if !body.isEmpty { headers.append(("content-type", "application/json")) }
        return PushReply(status: status, headers: headers, body: body)
    }

    fileprivate static func refusalBody(reason: String, timestamp: Timestamp?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("reason", reason)
            if let timestamp { json.member("timestamp", timestamp.milliseconds) }
        }
        return json.bytes
    }
}

/// One of Apple's errors.
private struct Refusal: Error {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    var body: [UInt8] { APNsStandIn.refusalBody(reason: reason, timestamp: nil) }
}

extension APNsStandIn {
    private func judge(_ request: SinkRequest, token: TokenCheck) throws(Refusal) -> ShownPush {
        guard request.method == "POST" else { throw Refusal(405, "MethodNotAllowed") }
        guard let device = request.apnsDevice else { throw Refusal(404, "BadPath") }
        try Self.checkAuthorization(request, token: token)
        guard !device.isEmpty else { throw Refusal(400, "MissingDeviceToken") }
        guard Self.isDeviceToken(device) else { throw Refusal(400, "BadDeviceToken") }
        try checkHeaders(request)
        return try ShownPush(device: device, request: request)
    }

    private static func checkAuthorization(_ request: SinkRequest, token: TokenCheck) throws(Refusal) {
        guard let authorization = request.header("authorization") else { throw Refusal(403, "MissingProviderToken") }
        guard authorization.lowercased().hasPrefix("bearer ") else { throw Refusal(403, "InvalidProviderToken") }
        switch token {
        case .valid: break
        case .expired: throw Refusal(403, "ExpiredProviderToken")
        case .invalid: throw Refusal(403, "InvalidProviderToken")
        }
    }

    /// Whole bytes in hex. Apple asks not to assume their number; 100 bytes is what registration promises at most.
    private static func isDeviceToken(_ text: String) -> Bool {
        text.utf8.count % 2 == 0 && text.utf8.count <= 200 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static let singleHeaders = [
        "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id",
    ]
    private static let pushTypes: Set = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity", "pushtotalk",
        "widgets", "controls",
    ]

    private func checkHeaders(_ request: SinkRequest) throws(Refusal) {
        for name in Self.singleHeaders where request.values(of: name).count > 1 {
            throw Refusal(400, "DuplicateHeaders")
        }
        guard let topic = request.header("apns-topic") else { throw Refusal(400, "MissingTopic") }
        guard !topic.isEmpty else { throw Refusal(400, "BadTopic") }
        guard topics?.contains(topic) ?? true else { throw Refusal(400, "TopicDisallowed") }
        if let type = request.header("apns-push-type"), !Self.pushTypes.contains(type) {
            throw Refusal(400, "InvalidPushType")
        }
        if let priority = request.header("apns-priority"), !["10", "5", "1"].contains(priority) {
            throw Refusal(400, "BadPriority")
        }
        if let expiration = request.header("apns-expiration"), Int64(expiration).map({ $0 < 0 }) ?? true {
            throw Refusal(400, "BadExpirationDate")
        }
        if let collapse = request.header("apns-collapse-id"), !(1...64).contains(collapse.utf8.count) {
            throw Refusal(400, "BadCollapseId")
        }
        if let id = request.header("apns-id"), !Self.isUUID(id) { throw Refusal(400, "BadMessageId") }
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension ShownPush {
    fileprivate init(device: String, request: SinkRequest) throws(Refusal) {
        let isCall = request.header("apns-push-type") == "voip"
        guard !request.body.isEmpty else { throw Refusal(400, "PayloadEmpty") }
        guard request.body.count <= (isCall ? 5_120 : APNsPayload.maximumBytes) else {
            throw Refusal(413, "PayloadTooLarge")
        }
        // Apple has no reason of its own for a payload that says nothing.
        guard let payload = try? JSONValue(parsing: request.body).object, !payload.isEmpty else {
            throw Refusal(400, "PayloadEmpty")
        }
        self.init(device: device, collapseID: request.header("apns-collapse-id"), payload: payload)
    }
}
