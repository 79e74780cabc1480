import Inbox
import JSON

/// Judges requests as APNs does, so that a sender can be tested without Apple.
///
/// Follows Apple's "Sending notification requests to APNs" and the tables of "Handling notification responses from
/// APNs".
package struct APNsStandIn: ProviderStandIn {
    /// The bundle ids that the token may push to; nil for any.
    package var topics: Set<String>?

    package init(topics: Set<String>? = nil) { self.topics = topics }

    package func device(of request: SinkRequest) -> String? {
        guard request.path.hasPrefix("/3/device/") else { return nil }
        let device = request.path.dropFirst("/3/device/".count)
        return device.contains("/") ? nil : String(device)
    }

    package func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome {
        do {
            let shown = try judge(request, credential: credential)
            return StandInOutcome(reply: answer(200, id: id, to: request), shown: [shown])
        } catch {
            let body = Self.body(reason: error.reason, timestamp: nil)
            return StandInOutcome(reply: answer(error.status, id: id, to: request, body: body))
        }
    }

    package func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply {
        var reply = self.answer(
            answer.status, id: id, to: request,
            body: answer.reason.map { Self.body(reason: $0, timestamp: answer.timestamp) } ?? [])
        reply.headers += answer.retryAfterHeader
        return reply
    }

    private func answer(_ status: Int, id: String, to request: SinkRequest, body: [UInt8] = []) -> PushReply {
        var headers = [(name: "apns-id", value: request.header("apns-id") ?? id)]
        if !body.isEmpty { headers.append(("content-type", "application/json")) }
        return PushReply(status: status, headers: headers, body: body)
    }

    private static func body(reason: String, timestamp: Timestamp?) -> [UInt8] {
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
}

extension APNsStandIn {
    private func judge(_ request: SinkRequest, credential: CredentialCheck) throws(Refusal) -> ShownPush {
        guard request.method == "POST" else { throw Refusal(405, "MethodNotAllowed") }
        guard let device = device(of: request) else { throw Refusal(404, "BadPath") }
        try Self.checkAuthorization(request, credential: credential)
        guard !device.isEmpty else { throw Refusal(400, "MissingDeviceToken") }
        guard Self.isDeviceToken(device) else { throw Refusal(400, "BadDeviceToken") }
        try checkHeaders(request)
        return try Self.shown(on: device, request: request)
    }

    private static func checkAuthorization(
        _ request: SinkRequest, credential: CredentialCheck
    ) throws(Refusal) {
        guard let authorization = request.header("authorization") else { throw Refusal(403, "MissingProviderToken") }
        guard authorization.lowercased().hasPrefix("bearer ") else { throw Refusal(403, "InvalidProviderToken") }
        switch credential {
        case .valid: break
        case .missing: throw Refusal(403, "MissingProviderToken")
        case .expired: throw Refusal(403, "ExpiredProviderToken")
        case .invalid: throw Refusal(403, "InvalidProviderToken")
        }
    }

    /// Whole bytes in hex. Apple says that their number may change; at registration, 100 bytes is the promised maximum.
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
        let isActivity = request.header("apns-push-type") == "liveactivity"
        // The topic of a Live Activity is the bundle id with this suffix, and no other push has it.
        guard topic.hasSuffix(APNsSettings.activitySuffix) == isActivity else { throw Refusal(400, "BadTopic") }
        let bundle = isActivity ? String(topic.dropLast(APNsSettings.activitySuffix.utf8.count)) : topic
        guard topics?.contains(bundle) ?? true else { throw Refusal(400, "TopicDisallowed") }
        if let type = request.header("apns-push-type"), !Self.pushTypes.contains(type) {
            throw Refusal(400, "InvalidPushType")
        }
        if let priority = request.header("apns-priority") {
            // "Specify 5 … for background notifications. Specifying 10 is an error."
            let isBackground = request.header("apns-push-type") == "background"
            guard (isBackground ? ["5", "1"] : isActivity ? ["10", "5"] : ["10", "5", "1"]).contains(priority) else {
                throw Refusal(400, "BadPriority")
            }
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

    private static func shown(on device: String, request: SinkRequest) throws(Refusal) -> ShownPush {
        let isCall = request.header("apns-push-type") == "voip"
        guard !request.body.isEmpty else { throw Refusal(400, "PayloadEmpty") }
        guard request.body.count <= (isCall ? 5_120 : APNsPayload.maximumBytes) else {
            throw Refusal(413, "PayloadTooLarge")
        }
        // Apple names no reason for a payload without content.
        guard let payload = try? JSONValue(parsing: request.body).object, !payload.isEmpty else {
            throw Refusal(400, "PayloadEmpty")
        }
        if request.header("apns-push-type") == "liveactivity" {
            return try shownActivity(on: device, payload["aps"]?.object ?? [:], request)
        }
        let aps = payload["aps"]
        // An alert may be a plain string.
        let alert = aps?.at(["alert"])
        var data = payload
        data["aps"] = nil
        return ShownPush(
            device: device, title: alert?.at(["title"])?.string, body: alert?.at(["body"])?.string ?? alert?.string,
            badge: aps?.at(["badge"])?.int, thread: aps?.at(["thread-id"])?.string,
            collapseID: request.header("apns-collapse-id"), data: data,
            withdrawn: PushMessage.withdrawn(in: payload[PushMessage.ownMember]))
    }

    /// A phone drops a payload that it cannot read without a word. The refusal here, a word of the sink's own, shows the
    /// mistake to the sender.
    private static func shownActivity(
        on token: String, _ aps: JSONObject, _ request: SinkRequest
    ) throws(Refusal) -> ShownPush {
        let activity: ShownActivity
        do { activity = try ShownActivity(aps: aps) } catch { throw Refusal(400, "BadActivityPayload") }
        let alert = aps["alert"]
        return ShownPush(
            device: token, title: alert?.at(["title"])?.string, body: alert?.at(["body"])?.string, badge: nil,
            thread: nil, collapseID: request.header("apns-collapse-id"), data: [:], activity: activity)
    }
}
