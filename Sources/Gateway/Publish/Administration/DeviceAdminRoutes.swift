import Inbox
import JSON
import Push
import Store
import Transport
import WireProtocol

/// `/v1/users/{user}/devices` and `/v1/users/{user}/test-push`: a person's phones, for support people.
struct DeviceAdminRoutes {
    static let defaultTitle = "Test"
    static let defaultBody = "Pushes reach this device."
    /// Longer texts do not fit on a lock screen.
    private static let shownText = TextRule<String>(expectation: "a text of 1 to 1000 bytes") { text in
        (1...1_000).contains(text.utf8.count) ? text : nil
    }

    let node: Node
    let app: AppName
    let dispatcher: PushDispatcher

    /// The Live Activities of a person's devices.
    func listActivities(of user: String, _ reply: HTTPReply) throws(Problem) {
        ActivityRoutes(node: node, user: try UserID(parameter: user, in: app)).listForBackend(reply)
    }

    /// All of the user's devices without their tokens, the one seen last first.
    func list(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let completion = reply.answer { (devices: [Device]) in
            .object { json in
                json.key("devices")
                json.array { json in for device in devices { device.writeWithBadge(to: &json) } }
            }
        }
        node.store.devices(of: try UserID(parameter: user, in: app), completion: completion)
    }

    /// Registers a device as an app does, for backends whose apps have no credentials and that know a device's owner.
    /// The token may be missing: the phone's own call brings it.
    func register(
        _ device: String, for user: String, _ request: HTTPRequest, _ reply: HTTPReply
    ) throws(Problem) {
        let user = try UserID(newParameter: user, in: app)
        let reader = DeviceRequest(user: user, now: node.now(), settings: node.settings)
        var warnings: [String] = []
        let device = try reader.announced(id: device, request.body, &warnings).told(by: .backend)
        let completion = reply.answer { [warnings] (device: Device) in
            .object { json in
                json.key("device")
                device.write(to: &json)
                if !warnings.isEmpty { json.member("warnings", .array(warnings.map(JSONValue.string))) }
            }
        }
        DeviceRegistration(directory: node.store).register(device, for: user, completion: completion)
    }

    /// - Parameter label: as in ``Device/app``; the query's `app`.
    func delete(_ device: String, label: String, of user: String, _ reply: HTTPReply) throws(Problem) {
        let completion = reply.answer { (wasThere: Bool) in
            wasThere ? HTTPResponse(status: 204) : Self.unknownDevice.response
        }
        node.store.unregister(
            device: device, app: label, of: try UserID(parameter: user, in: app), completion: completion)
    }

    /// `{title?, body?, device?}`: answers once all providers have, with a verdict for each device.
    func test(_ user: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let test = PushTest(store: node.store, senders: dispatcher.senders, now: node.now)
        let options = try Self.options(request, for: UserID(parameter: user, in: app))
        let completion = reply.answer { (results: [PushTest.Result]) in
            results.isEmpty && options.device != nil ? Self.unknownDevice.response : Self.response(results)
        }
        test.run(options, completion: completion)
    }

    /// Sends each device the number for its icon, past the queue, and answers as ``test(_:_:_:)`` does.
    func resendBadge(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let test = PushTest(store: node.store, senders: dispatcher.senders, now: node.now)
        let completion = reply.answer { (results: [PushTest.Result]) in Self.response(results) }
        test.run(PushTest.Options(user: try UserID(parameter: user, in: app), text: nil), completion: completion)
    }

    private static let unknownDevice = Problem(
        status: 404, code: "unknown_device", detail: "the user has no device of this id and app")

    private static func options(_ request: HTTPRequest, for user: UserID) throws(Problem) -> PushTest.Options {
        let members = try KnownMembers(
            request.body.isEmpty ? Array("{}".utf8) : request.body, known: ["title", "body", "device"])
        return PushTest.Options(
            user: user, device: try members.text("device", .deviceID),
            text: PushTest.Text(
                title: try members.text("title", shownText) ?? defaultTitle,
                body: try members.text("body", shownText) ?? defaultBody))
    }

    private static func response(_ results: [PushTest.Result]) -> HTTPResponse {
        .object { json in
            json.key("results")
            json.array { json in
                for result in results { write(result, to: &json) }
            }
        }
    }

    private static func write(_ result: PushTest.Result, to json: inout JSONWriter) {
        let provider = result.device.provider
        json.object { json in
            json.member("device", result.device.id)
            json.member("app", result.device.app)
            json.member("provider", provider.name)
            switch result.outcome {
            case .denied:
                json.member("verdict", "skipped")
                json.member(
                    "explanation",
                    "The person does not allow notifications on this device, according to its app's last report.")
            case .awaitsToken:
                json.member("verdict", "skipped")
                json.member("explanation", "A backend registered the device, and its app has not sent a token yet.")
            case .notConfigured:
                json.member("verdict", "notConfigured")
                json.member(
                    "explanation", "The settings under push name no \(provider.name): its pushes are abandoned.")
            case .answered(let verdict, let isForgotten):
                Self.write(verdict, from: provider, isForgotten: isForgotten, to: &json)
            }
            json.member("milliseconds", result.duration.milliseconds)
        }
    }

    private static func write(
        _ verdict: Verdict, from provider: Device.Provider, isForgotten: Bool, to json: inout JSONWriter
    ) {
        switch verdict {
        case .accepted:
            json.member("verdict", "accepted")
        case .deviceGone:
            json.member("verdict", "gone")
            json.member("forgotten", isForgotten)
        case .busy(let retryAfter, let scope, let cause):
            json.member("verdict", "busy")
            json.member("scope", scope == .provider ? "provider" : "device")
            if let retryAfter { json.member("retryAfter", retryAfter.components.seconds) }
            if let cause { json.member("reason", cause.reason) }
        case .refused(let reason):
            json.member("verdict", "refused")
            json.member("reason", reason)
        }
        json.member("explanation", verdict.explanation(from: provider))
    }
}
