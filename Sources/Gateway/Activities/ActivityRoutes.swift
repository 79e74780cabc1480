import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// What apps tell of the Live Activities on their devices, and who asks for them.
struct ActivityRoutes {
    /// More than any app has.
    private static let maximumTypes = 50

    let node: Node
    let user: UserID

    /// `PUT /api/devices/{id}/activities` with `{"startTokens": {"OrderAttributes": "80a1…"}}`: of which types activities
    /// can begin there.
    func registerTypes(_ id: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let members = try KnownMembers(request.body, known: ["startTokens"])
        guard let tokens = members.value("startTokens")?.object else {
            throw .member(
                "missing_field", "startTokens", "expected an object: the start token of each attributes type, or null")
        }
        guard tokens.members.count <= Self.maximumTypes else {
            throw .member("invalid_value", "startTokens", "expected at most \(Self.maximumTypes) types")
        }
        var types: [String: String?] = [:]
        for member in tokens.members {
            guard (1...ActivityContent.maximumTypeBytes).contains(member.key.utf8.count) else {
                throw .member(
                    "invalid_value", "startTokens",
                    "expected names of 1 to \(ActivityContent.maximumTypeBytes) bytes")
            }
            types[member.key] = .some(try Self.token(member.value))
        }
        node.store.register(
            activityTypes: types, of: try device(id, request), completion: reply.answer { Self.response($0) })
    }

    /// Null for an app that shows activities by itself.
    private static func token(_ value: JSONValue) throws(Problem) -> String? {
        if value == .null { return nil }
        guard let token = value.string.flatMap(TextRule.apnsToken.read) else {
            throw .member("invalid_value", "startTokens", "expected \(TextRule.apnsToken.expectation), or null")
        }
        return token
    }

    /// `PUT /api/devices/{id}/activities/{key}` with `{"token": "90b2…"}`: the activity runs, and is reached by this token.
    func registerToken(_ id: String, _ key: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let token = try KnownMembers(request.body, known: ["token"]).requiredText("token", .apnsToken)
        node.store.register(
            activityToken: token, key: try Self.key(key), of: try device(id, request), at: node.now(),
            completion: reply.answer { Self.response($0) })
    }

    /// `DELETE /api/devices/{id}/activities/{key}`: the person has removed it, or the app has ended it.
    func dismiss(_ id: String, _ key: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let completion = reply.answer { (wasThere: Bool) in
            HTTPResponse.data { json in json.object { $0.member("count", wasThere ? 1 : 0) } }
        }
        node.store.dismissActivity(
            key: try Self.key(key), of: try device(id, request), at: node.now(), completion: completion)
    }

    /// `GET /api/activities`
    func list(_ reply: HTTPReply) {
        let completion = reply.answer { (activities: [KnownActivity]) in
            HTTPResponse.data { json in
                json.array { json in for activity in activities { activity.write(to: &json) } }
            }
        }
        node.store.activities(of: user, completion: completion)
    }

    /// `GET /v1/users/{user}/activities`
    func listForBackend(_ reply: HTTPReply) {
        let completion = reply.answer { (activities: [KnownActivity]) in
            HTTPResponse.object { json in
                json.key("activities")
                json.array { json in for activity in activities { activity.write(to: &json) } }
            }
        }
        node.store.activities(of: user, completion: completion)
    }

    private func device(_ id: String, _ request: HTTPRequest) throws(Problem) -> ActivityAddress {
        ActivityAddress(
            user: user, app: try DeviceRoutes.label(in: request.head.query, of: user.app),
            device: try DeviceRequest.id(id))
    }

    private static func key(_ text: String) throws(Problem) -> String {
        guard ActivityContent.isKey(text) else {
            throw .parameter("key: expected 1 to \(ActivityContent.maximumKeyBytes) bytes without control characters")
        }
        return text
    }

    private static func response(_ registration: ActivityRegistration) -> HTTPResponse {
        switch registration {
        case .stored: .data { json in json.object { $0.member("success", true) } }
        case .unknownDevice:
            Problem(status: 404, code: "unknown_device", detail: "register the device first").response
        case .unfitDevice:
            Problem(
                status: 422, code: "no_activities",
                detail: "the device is reached by a push service that knows no Live Activities"
            ).response
        case .missingToken:
            Problem(
                status: 422, code: "missing_token", detail: "expected a token for each type: APNs reaches none without",
                pointer: "/startTokens"
            ).response
        case .tooMany:
            Problem(
                status: 422, code: "too_many_activities", detail: "the device has too many activities at a time"
            ).response
        }
    }
}

extension KnownActivity {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("device", device)
            json.member("app", app)
            json.member("key", key)
            json.member("state", state.rawValue)
            if let since { json.member("since", since.iso8601) }
            json.member("waiting", hasWaiting)
        }
    }
}
