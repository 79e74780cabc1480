import Inbox
import JSON

/// Judges requests as OneSignal does, so that a sender can be tested without it.
///
/// Follows OneSignal's "Push notification" page and known answers of its service.
package struct OneSignalStandIn: ProviderStandIn {
    /// The app that the key is valid for; nil for any.
    package var appID: String?

    package init(appID: String? = nil) { self.appID = appID }

    package func device(of request: SinkRequest) -> String? {
        // An invalid body names no device.
        guard let body = (try? JSONValue(parsing: request.body))?.object else { return nil }
        let targets = Self.targets(of: body)
        return targets.count == 1 ? targets[0] : nil
    }

    package func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome {
        do throws(Refusal) {
            try Self.checkRoute(request)
            try Self.checkAuthorization(request, credential: credential)
            let body = try message(in: request.body)
            if let restricted = Self.restricted(in: body) {
                return StandInOutcome(reply: Self.reply(200, restricted.encoded))
            }
            let answer: JSONValue = ["id": .string(id), "external_id": body["idempotency_key"] ?? .null]
            return StandInOutcome(
                reply: Self.reply(200, answer.encoded),
                shown: Self.targets(of: body).map { Self.shown(on: $0, body: body) })
        } catch {
            return StandInOutcome(reply: Self.reply(error.status, error.body))
        }
    }

    /// The reason is the error's text. With 200, it is `invalid_aliases`, `invalid_subscription_ids` or
    /// `invalid_player_ids`, and the answer names the request's device as invalid. 200 without a reason reaches nobody.
    package func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply {
        let body: JSONValue
        switch (answer.status, answer.reason) {
        case (200, "invalid_aliases"):
            let user = device(of: request)?.dropFirst(Device.oneSignalUserPrefix.count) ?? ""
            let aliases: JSONValue = ["external_id": .array([.string(String(user))])]
            body = ["id": "", "errors": ["invalid_aliases": aliases]]
        case (200, let member?) where member.hasPrefix("invalid_"):
            let invalid = JSONObject([.init(key: member, value: .array([.string(device(of: request) ?? "")]))])
            body = ["id": "", "errors": .object(invalid)]
        case (200, let text):
            body = ["id": "", "errors": .array([.string(text ?? "All included players are not subscribed")])]
        case (_, let text):
            body = ["errors": .array([.string(text ?? "As scripted.")])]
        }
        var reply = Self.reply(answer.status, body.encoded)
        reply.headers += answer.retryAfterHeader
        return reply
    }

    private static func reply(_ status: Int, _ body: [UInt8]) -> PushReply {
        PushReply(status: status, headers: [("content-type", "application/json; charset=utf-8")], body: body)
    }
}

/// One of OneSignal's errors.
private struct Refusal: Error {
    let status: Int
    let text: String

    init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }

    var body: [UInt8] { (["errors": .array([.string(text)])] as JSONValue).encoded }
}

extension OneSignalStandIn {
    private static func checkRoute(_ request: SinkRequest) throws(Refusal) {
        let path = request.path.split(separator: "?", omittingEmptySubsequences: false)[0]
        guard request.method == "POST", path == "/notifications" || path == "/api/v1/notifications" else {
            throw Refusal(404, "Not found")
        }
        guard request.header("content-type")?.lowercased().hasPrefix("application/json") == true else {
            throw Refusal(400, "Content-Type must be application/json")
        }
    }

    private static func checkAuthorization(
        _ request: SinkRequest, credential: CredentialCheck
    ) throws(Refusal) {
        let scheme = request.header("authorization")?.split(separator: " ").first?.lowercased()
        guard let scheme, ["key", "basic"].contains(scheme), credential == .valid else {
            throw Refusal(
                403,
                "Access denied.  Please include an 'Authorization: ...' header with a valid API key "
                    + "(https://documentation.onesignal.com/docs/en/keys-and-ids#api-keys).")
        }
    }

    /// Older versions of the interface call a subscription a player.
    private static let subscriptionMembers = ["include_subscription_ids", "include_player_ids"]

    private func message(in bytes: [UInt8]) throws(Refusal) -> JSONObject {
        // A body that cannot be parsed counts as no object.
        guard let body = (try? JSONValue(parsing: bytes))?.object else {
            throw Refusal(400, "Request body is not valid JSON")
        }
        guard let app = body["app_id"]?.string, Self.isUUID(app) else { throw Refusal(400, "app_id must be a UUID") }
        guard appID.map({ $0 == app }) ?? true else { throw Refusal(400, "app_id not found") }
        try Self.checkTarget(body)
        try Self.checkContent(body)
        if let key = body["idempotency_key"], !(key.string.map(Self.isUUID) ?? false) {
            throw Refusal(400, "idempotency_key must be a UUID")
        }
        if let collapse = body["collapse_id"], !(collapse.string.map { (1...64).contains($0.utf8.count) } ?? false) {
            throw Refusal(400, "collapse_id must be at most 64 bytes")
        }
        return body
    }

    private static func checkTarget(_ body: JSONObject) throws(Refusal) {
        let aliases = body["include_aliases"]
        let subscriptions = subscriptionMembers.filter { body[$0] != nil }
        guard (aliases == nil ? 0 : 1) + subscriptions.count == 1 else {
            throw Refusal(
                400, "You must include which players, segments, or tags you wish to send this notification to.")
        }
        if aliases != nil, body["target_channel"]?.string != "push" {
            throw Refusal(400, "target_channel is required when targeting by aliases")
        }
        guard !targets(of: body).isEmpty else { throw Refusal(400, "Nobody is named as a target") }
        for member in subscriptions {
            for id in body[member]?.array ?? [] where !(id.string.map(isUUID) ?? false) {
                throw Refusal(400, "Incorrect subscription_id format in \(member) (not a valid UUID)")
            }
        }
    }

    private static func checkContent(_ body: JSONObject) throws(Refusal) {
        let isSilent = body["content_available"]?.bool == true && body["contents"] == nil
        guard isSilent || body["contents"]?.at(["en"])?.string?.isEmpty == false else {
            throw Refusal(400, "Message Notifications must have English language content: contents")
        }
        if let data = body["data"], data.object == nil || data.encoded.count > OneSignalMessage.maximumDataBytes {
            throw Refusal(400, "data must be an object of at most 2048 bytes")
        }
        if let type = body["ios_badgeType"]?.string, !["None", "SetTo", "Increase"].contains(type) {
            throw Refusal(400, "ios_badgeType must be None, SetTo or Increase")
        }
        if let badge = body["ios_badgeCount"], badge.int == nil {
            throw Refusal(400, "ios_badgeCount must be an integer")
        }
        if let priority = body["priority"], !(1...10).contains(priority.int ?? 0) {
            throw Refusal(400, "priority must be 5 or 10")
        }
        if let lifetime = body["ttl"], !((0...2_419_200).contains(lifetime.int ?? -1)) {
            throw Refusal(400, "ttl must be a number of seconds")
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// The answer to a request for restricted ids only: no message is made. Nil for all other requests.
    private static func restricted(in body: JSONObject) -> JSONValue? {
        let users = body["include_aliases"]?.at(["external_id"])?.array ?? []
        let restricted = users.filter { $0.string.map(OneSignalExternalID.isRestricted) == true }
        guard !restricted.isEmpty, restricted.count == users.count else { return nil }
        let aliases: JSONValue = ["external_id": .array(restricted)]
        return ["id": "", "errors": ["invalid_aliases": aliases]]
    }

    /// Addresses in the form of ``Device/token``.
    private static func targets(of body: JSONObject) -> [String] {
        let users = body["include_aliases"]?.at(["external_id"])?.array ?? []
        return users.compactMap(\.string).map { Device.oneSignalUserPrefix + $0 }
            + subscriptionMembers.flatMap { (body[$0]?.array ?? []).compactMap(\.string) }
    }

    private static func shown(on target: String, body: JSONObject) -> ShownPush {
        let data = body["data"]?.object ?? JSONObject()
        return ShownPush(
            device: target, title: body["headings"]?.at(["en"])?.string, body: body["contents"]?.at(["en"])?.string,
            badge: body["ios_badgeType"]?.string == "SetTo" ? body["ios_badgeCount"]?.int : nil,
            thread: body["thread_id"]?.string, collapseID: body["collapse_id"]?.string, data: data,
            withdrawn: PushMessage.withdrawn(in: data[PushMessage.ownMember]))
    }
}
