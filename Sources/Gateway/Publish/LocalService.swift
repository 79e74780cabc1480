import Storage
package import Transport
package import WireProtocol

/// What the Unix socket serves: publishing, for backends on this machine, and administration.
package final class LocalService: HTTPService {
    private enum Endpoint: Sendable {
        case events, feedItems, health, push, devices, device, testPush
    }

    private static let router = Router<Endpoint>([
        ("POST", "/v1/events", .events),
        ("POST", "/v1/feeds/*/items", .feedItems),
        ("GET", "/v1/push", .push),
        ("GET", "/v1/users/*/devices", .devices),
        ("DELETE", "/v1/users/*/devices/*", .device),
        ("POST", "/v1/users/*/test-push", .testPush),
        ("GET", "/healthz", .health),
    ])

    private let node: Node
    private let dispatcher: PushDispatcher

    package init(node: Node, dispatcher: PushDispatcher) {
        self.node = node
        self.dispatcher = dispatcher
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        let routes = PublishRoutes(node: node)
        let devices = DeviceAdminRoutes(node: node, dispatcher: dispatcher)
        switch Self.router.match(head.method, head.segments) {
        case .unserved(let methods): return .answer(.unserved(by: methods))
        case .found(.health, _): return .answer(.text(200, "ok\n"))
        case .found(_, _) where !node.isReady: return .answer(Problem(.closed).response)
        case .found(.events, _) where head.headers.mediaType == "application/x-ndjson":
            return .stream(EventStream(node: node, publisher: peer.publisher))
        case .found(.push, _):
            return .collect { [dispatcher] _, reply, _ in PushStatusRoute(dispatcher: dispatcher).serve(reply) }
        case .found(.devices, let parameters):
            return .collect { _, reply, on in devices.list(parameters[0], reply, on) }
        case .found(.device, let parameters):
            let app = head.query["app"] ?? ""
            return .collect { _, reply, on in devices.delete(parameters[1], app: app, of: parameters[0], reply, on) }
        case .found(.testPush, let parameters):
            return .collect { request, reply, on in devices.test(parameters[0], request, reply, on) }
        case .found(let endpoint, let parameters):
            // What is refused for want of room is refused before its body takes any.
            guard let share = node.publishLoad.take(Self.bodyBytes(head, limit: node.settings.limits.bodyBytes)) else {
                node.metrics.eventsRefused.add()
                return .answer(Problem(.overloaded).response)
            }
            return .collect { request, reply, on in
                if endpoint == .events {
                    routes.publishEvents(request, from: peer, share, reply, on)
                } else {
                    routes.publishItem(to: parameters[0], request, share, reply, on)
                }
            }
        }
    }

    /// How much memory a body may take; one that does not tell its length may take all that is allowed.
    private static func bodyBytes(_ head: HTTPRequestHead, limit: Int) -> Int {
        min(head.headers["Content-Length"].flatMap { Int($0) } ?? limit, limit)
    }
}

extension HTTPHeaders {
    /// The media type in lower case, without parameters.
    var mediaType: String? {
        self["Content-Type"]?.split(separator: ";").first.map { $0.lowercased().filter { !$0.isWhitespace } }
    }
}
