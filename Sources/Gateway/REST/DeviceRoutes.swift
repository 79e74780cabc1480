import Inbox
import JSON
import Push
import Storage
import Transport
import WireProtocol

/// A person's devices: the phones and browsers that pushes go to.
struct DeviceRoutes {
    enum Endpoint: Sendable {
        case list, register, subscribe, remove, pushKey, playerID, registerDevice
    }

    let node: Node
    let user: UserID
    /// Nil where Web Push is not set up.
    let applicationServerKey: String?

    func serve(
        _ endpoint: Endpoint, _ parameters: [String], _ request: HTTPRequest, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        let reader = DeviceRequest(user: user, now: node.now(), webPushHosts: node.settings.push.webPush.hosts)
        do throws(Problem) {
            switch endpoint {
            case .list: list(reply)
            case .register:
                var warnings: [String] = []
                let device = try reader.device(id: parameters[0], request.body, &warnings)
                register(device, reply) { [warnings] in Self.answer($0, warnings) }
            case .subscribe:
                let app = try Self.app(of: request)
                register(try reader.subscription(id: parameters[0], app: app, request.body), reply) { Self.answer($0) }
            case .remove:
                remove(try DeviceRequest.id(parameters[0]), app: try Self.app(of: request), reply)
            case .pushKey: reply.send(pushKey(), on)
            case .playerID:
                register(try reader.player(app: Self.app(of: request), request.body), reply) { _ in Self.success }
            case .registerDevice:
                let known = try RegisterDeviceRequest(request.body, app: Self.app(of: request), at: node.now())
                registerOwn(known.device, reply)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    /// Without credentials: only a device that a backend has made known may tell its new token. The answer is the same
    /// whatever comes of it: nobody learns by it which devices there are.
    static func registerKnown(
        _ node: Node, _ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            let device = try RegisterDeviceRequest(request.body, app: app(of: request), at: node.now()).device
                .told(by: .anybody)
            node.store.installation(ofDevice: device.id, app: device.app, of: nil) { result in
                switch result {
                case .failure(let error): reply.send(Problem(error).response)
                case .success(nil): reply.send(registered)
                case .success(let known?): register(device, as: known, node, reply)
                }
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    /// A device that was made known before, by whomever, is the same one now.
    private func registerOwn(_ device: Device, _ reply: HTTPReply) {
        let (node, user) = (node, user)
        node.store.installation(ofDevice: device.id, app: device.app, of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let known):
                Self.register(device, as: known ?? Installation(user: user, app: device.app), node, reply)
            }
        }
    }

    private static func register(_ device: Device, as known: Installation, _ node: Node, _ reply: HTTPReply) {
        var device = device
        device.app = known.app
        register(device, for: known.user, node, reply) { _ in registered }
    }

    /// Which app's device it is, where the body has no room for that.
    private static func app(of request: HTTPRequest) throws(Problem) -> String {
        guard let text = request.head.query["app"] else { return "" }
        guard let app = TextRule.app.read(text) else {
            throw Problem(status: 400, code: "invalid_parameter", detail: "app: expected \(TextRule.app.expectation)")
        }
        return app
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
        DeviceRegistration(directory: node.store).register(device, for: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let device): reply.send(answer(device))
            }
        }
    }

    private func list(_ reply: HTTPReply) {
        node.store.devices(of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let devices):
                reply.send(
                    Self.data { json in json.array { json in for device in devices { device.write(to: &json) } } })
            }
        }
    }

    private func remove(_ id: String, app: String, _ reply: HTTPReply) {
        node.store.unregister(device: id, app: app, of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let wasThere):
                reply.send(
                    Self.data { json in
                        json.object { json in
                            json.member("message", "Device removed")
                            json.member("count", wasThere ? 1 : 0)
                        }
                    })
            }
        }
    }

    private func pushKey() -> HTTPResponse {
        guard let key = applicationServerKey else { return Problem.webPushIsOff.response }
        return Self.data { json in json.object { $0.member("applicationServerKey", key) } }
    }

    // MARK: Answers

    private static func answer(_ device: Device, _ warnings: [String] = []) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.key("data")
                device.write(to: &json)
                if !warnings.isEmpty { json.member("warnings", .array(warnings.map(JSONValue.string))) }
            }
        }
    }

    private static let success = data { json in json.object { $0.member("success", true) } }

    private static func data(_ body: (inout JSONWriter) -> Void) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.key("data")
                body(&json)
            }
        }
    }

    private static let registered = HTTPResponse.json { json in json.object { $0.member("status", "ok") } }
}

extension Problem {
    fileprivate static let webPushIsOff = Problem(
        status: 404, code: "web_push_off", detail: "this server has no key for Web Push")
}
