import Inbox
import JSON
import Push
import Store
import Transport
import WireProtocol

/// A person's devices: the phones and browsers that pushes go to.
struct DeviceRoutes {
    let node: Node
    let user: UserID

    private var reader: DeviceRequest { DeviceRequest(user: user, now: node.now(), settings: node.settings) }

    func register(_ id: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        var warnings: [String] = []
        let device = try reader.device(id: id, request.body, &warnings)
        register(device, reply) { [warnings] in Self.answer($0, warnings) }
    }

    func subscribe(_ id: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let app = try Self.label(in: request.head.query, of: user.app)
        register(try reader.subscription(id: id, app: app, request.body), reply) { Self.answer($0) }
    }

    func registerPlayer(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        register(try reader.player(app: Self.label(in: request.head.query, of: user.app), request.body), reply) { _ in
            Self.success
        }
    }

    /// A phone's new token. A device that was registered before, by anybody, keeps its app.
    ///
    /// Without credentials, only a device that a backend has registered may send its new token. The answer is always
    /// the same, so that it does not reveal which devices exist.
    ///
    static func registerPhone(
        of caller: Guest, _ node: Node, _ request: HTTPRequest, _ reply: HTTPReply
    ) throws(Problem) {
        let (user, app) = (caller.credentials?.user, try label(in: request.head.query, of: caller.app))
        var device = try RegisterDeviceRequest(request.body, app: app, at: node.now()).device
        if user == nil { device = device.told(by: .anybody) }
        let completion = reply.then { [device] (known: Installation?) in
            guard let installation = known ?? user.map({ Installation(user: $0, app: device.app) }) else {
                return reply.send(registered)
            }
            var device = device
            device.app = installation.app
            register(device, for: installation.user, node, reply) { _ in registered }
        }
        node.store.installation(ofDevice: device.id, app: device.app, of: user, in: caller.app, completion: completion)
    }

    /// A browser's new subscription in place of an earlier one, whose secret the caller knows.
    ///
    /// The answer is the same for an unknown subscription and a wrong secret, so that it does not reveal which exist.
    static func changeSubscription(
        of caller: Guest, _ node: Node, _ request: HTTPRequest, _ reply: HTTPReply
    ) throws(Problem) {
        let now = node.now()
        let change = try SubscriptionChange(request.body, hosts: node.settings.push.webPush.hosts, at: now)
        let completion = reply.then { (known: OwnedDevice?) in
            guard let known, let device = change.applied(to: known.device, at: now) else {
                return reply.send(Problem.unknownSubscription.response)
            }
            register(device, for: known.user, node, reply) { Self.answer($0) }
        }
        node.store.device(of: .webpush, token: change.endpoint.url, in: caller.app, completion: completion)
    }

    /// The device's ``Device/app``, if the body has no member for it. All devices of a named app are that app's.
    static func label(in query: HTTPQuery, of app: AppName) throws(Problem) -> String {
        let given = try query["app"].map { text throws(Problem) in
            guard let label = TextRule.app.read(text) else {
                throw .parameter("app: expected \(TextRule.app.expectation)")
            }
            return label
        }
        return try label(given, of: app)
    }

    /// - Parameter given: the label that a request names.
    static func label(_ given: String?, of app: AppName) throws(Problem) -> String {
        guard !app.isUnnamed else { return given ?? "" }
        guard given.map({ $0 == app.text }) ?? true else {
            throw .parameter("app: expected \"\(app.text)\", the caller's app, or none")
        }
        return app.text
    }

    // MARK: The directory

    private func register(
        _ device: Device, _ reply: HTTPReply, _ answer: @escaping @Sendable (Device) -> HTTPResponse
    ) {
        Self.register(device, for: user, node, reply, answer)
    }

    private static func register(
        _ device: Device, for user: UserID, _ node: Node, _ reply: HTTPReply,
        _ answer: @escaping @Sendable (Device) -> HTTPResponse
    ) {
        DeviceRegistration(directory: node.store).register(device, for: user, completion: reply.answer(answer))
    }

    func list(_ reply: HTTPReply) {
        let completion = reply.answer { (devices: [Device]) in
            .data { json in json.array { json in for device in devices { device.write(to: &json) } } }
        }
        node.store.devices(of: user, completion: completion)
    }

    func remove(_ id: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let (id, app) = (try DeviceRequest.id(id), try Self.label(in: request.head.query, of: user.app))
        let completion = reply.answer { (wasThere: Bool) in
            .data { json in
                json.object { json in
                    json.member("message", "Device removed")
                    json.member("count", wasThere ? 1 : 0)
                }
            }
        }
        node.store.unregister(device: id, app: app, of: user, completion: completion)
    }

    /// - Parameter key: nil if Web Push is not set up.
    static func tell(applicationServerKey key: String?, _ reply: HTTPReply) throws(Problem) {
        guard let key else { throw .webPushIsOff }
        reply.send(.data { json in json.object { $0.member("applicationServerKey", key) } })
    }

    // MARK: Answers

    private static func answer(_ device: Device, _ warnings: [String] = []) -> HTTPResponse {
        .object { json in
            json.key("data")
            device.write(to: &json)
            if !warnings.isEmpty { json.member("warnings", .array(warnings.map(JSONValue.string))) }
        }
    }

    private static let success = HTTPResponse.data { json in json.object { $0.member("success", true) } }

    private static let registered = HTTPResponse.object { $0.member("status", "ok") }
}

extension Problem {
    fileprivate static let webPushIsOff = Problem(
        status: 404, code: "web_push_off", detail: "this server has no key for Web Push")
    static let unknownSubscription = Problem(
        status: 404, code: "unknown_subscription",
        detail: "no device has this subscription, or the secret is not its own")
}
