import Storage
package import Transport
package import WireProtocol

/// What the Unix socket serves: publishing, for backends on this machine, and administration.
package final class LocalService: HTTPService {
    private static let router = Router<LocalEndpoint>([
        ("POST", "/v1/events", .events),
        ("GET", "/v1/events/*", .directory(.progress)),
        ("DELETE", "/v1/events/*", .trail(.retract)),
        ("PATCH", "/v1/notifications", .trail(.patch)),
        ("GET", "/v1/trail", .trail(.key)),
        ("GET", "/v1/trail/*", .trail(.event)),
        ("GET", "/v1/users/*/trail", .trail(.person)),
        ("POST", "/v1/feeds/*/items", .feedItems),
        ("PUT", "/v1/feeds/*/items/*", .feedItem(.replace)),
        ("DELETE", "/v1/feeds/*/items/*", .feedItem(.remove)),
        ("GET", "/v1/topics/*/members", .directory(.members)),
        ("PUT", "/v1/topics/*/members", .directory(.writeMembers)),
        ("DELETE", "/v1/topics/*/members", .directory(.emptyTopic)),
        ("GET", "/v1/users/*", .directory(.profile)),
        ("PUT", "/v1/users/*", .directory(.writeProfile)),
        ("DELETE", "/v1/users/*", .directory(.erase)),
        ("GET", "/v1/users/*/topics", .directory(.topics)),
        ("GET", "/v1/users/*/sessions", .directory(.sessions)),
        ("POST", "/v1/users/*/disconnect", .directory(.disconnect)),
        ("GET", "/v1/users/*/feeds/*/viewed", .feedMark),
        ("PUT", "/v1/users/*/feeds/*/viewed", .moveFeedMark),
        ("PUT", "/v1/users/*/notifications/seen", .inbox(.seen)),
        ("PUT", "/v1/users/*/notifications/read", .inbox(.read)),
        ("PUT", "/v1/users/*/notifications/read-all", .inbox(.readAll)),
        ("GET", "/v1/push", .push),
        ("POST", "/v1/reload", .reload),
        ("GET", "/v1/catalogs", .catalogs),
        ("GET", "/v1/users/*/settings", .settings),
        ("PUT", "/v1/users/*/settings", .writeSettings),
        ("GET", "/v1/users/*/devices", .devices),
        ("PUT", "/v1/users/*/devices/*", .writeDevice),
        ("DELETE", "/v1/users/*/devices/*", .device),
        ("POST", "/v1/users/*/test-push", .testPush),
        ("GET", "/healthz", .health),
    ])

    private let node: Node
    private let hub: LiveHub
    private let dispatcher: PushDispatcher
    private let broadcaster: Broadcaster
    private let reloads: Reloads

    package init(
        node: Node, hub: LiveHub, dispatcher: PushDispatcher, broadcaster: Broadcaster, reloads: Reloads
    ) {
        self.node = node
        self.hub = hub
        self.dispatcher = dispatcher
        self.broadcaster = broadcaster
        self.reloads = reloads
    }

    private var feedRoutes: FeedPublishRoutes { FeedPublishRoutes(node: node, hub: hub) }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        switch Self.router.match(head, \.parameters) {
        case .unserved(let answer): return .answer(answer)
        case .found(.health, _): return .answer(.text(200, "ok\n"))
        case .found(_, _) where !node.isReady: return .answer(Problem(.closed).response)
        case .found(.events, _) where EventStream.reads(head.mediaType):
            if let problem = DryRunRoute.refusalOfStream(head.query) ?? EventStream.refusal(of: head) {
                return .answer(problem.response)
            }
            return .stream(EventStream(node: node, broadcaster: broadcaster, peer: peer))
        case .found(.feedMark, let parameters):
            return .collect { [feedRoutes] request, reply, on in
                feedRoutes.mark(parameters, moves: false, request, reply, on)
            }
        case .found(.moveFeedMark, let parameters):
            return .collect { [feedRoutes] request, reply, on in
                feedRoutes.mark(parameters, moves: true, request, reply, on)
            }
        case .found(.feedItem(let call), let parameters):
            return .collect { [node] request, reply, on in
                FeedItemRoutes(node: node).serve(call, parameters[1], of: parameters[0], request, reply, on)
            }
        case .found(.directory(let call), let parameters):
            let (directory, query) = (DirectoryRoutes(node: node, hub: hub), head.query)
            return .collect { request, reply, on in
                directory.serve(call, parameters[0], query, request, reply, on)
            }
        case .found(.trail(let call), let parameters):
            let (trail, query) = (TrailRoutes(node: node), head.query)
            return .collect { request, reply, on in
                trail.serve(call, parameters.first ?? "", query, from: peer, request, reply, on)
            }
        case .found(.inbox(let endpoint), let parameters):
            return .collect { [node] request, reply, on in
                InboxRoutes.serve(endpoint, of: parameters[0], node, request, reply, on)
            }
        case .found(.push, _):
            return .collect { [dispatcher] _, reply, _ in PushStatusRoute(dispatcher: dispatcher).serve(reply) }
        case .found(.reload, _):
            let reload = ReloadRoutes(node: node, reloads: reloads)
            return .collect { _, reply, on in reload.reload(reply, on) }
        case .found(.catalogs, _):
            let reload = ReloadRoutes(node: node, reloads: reloads)
            return .collect { _, reply, on in reload.list(reply, on) }
        case .found(.settings, let parameters):
            return .collect { [node] _, reply, on in
                SettingsAdminRoutes(node: node).show(parameters[0], reply, on)
            }
        case .found(.writeSettings, let parameters):
            return .collect { [node] request, reply, on in
                SettingsAdminRoutes(node: node).replace(parameters[0], request, reply, on)
            }
        case .found(.devices, let parameters):
            let devices = devices
            return .collect { _, reply, on in devices.list(parameters[0], reply, on) }
        case .found(.writeDevice, let parameters):
            let devices = devices
            return .collect { request, reply, on in
                devices.register(parameters[1], for: parameters[0], request, reply, on)
            }
        case .found(.device, let parameters):
            let (devices, app) = (devices, head.query["app"] ?? "")
            return .collect { _, reply, on in devices.delete(parameters[1], app: app, of: parameters[0], reply, on) }
        case .found(.testPush, let parameters):
            let devices = devices
            return .collect { request, reply, on in devices.test(parameters[0], request, reply, on) }
        case .found(let endpoint, let parameters):
            // What is refused for want of room is refused before its body takes any.
            guard let share = node.publishLoad.take(0, by: peer.userID) else {
                node.metrics.eventsRefused.add()
                return .busy(Problem(.overloaded).response)
            }
            let publish: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void = {
                [node, broadcaster, feedRoutes] request, reply, on in
                guard share.grow(by: request.body.count) else {
                    node.metrics.eventsRefused.add()
                    return reply.send(Problem(.overloaded).response, on)
                }
                if endpoint == .events {
                    PublishRoutes(node: node, broadcaster: broadcaster)
                        .publishEvents(request, from: peer, share, reply, on)
                } else {
                    feedRoutes.publish(to: parameters[0], request, from: peer, share, reply, on)
                }
            }
            return isWrittenInOrder(endpoint, parameters, head) ? .collectOverlapping(publish) : .collect(publish)
        }
    }

    /// Whether a publish only goes to the store, whose writes keep their order: those of a connection then share a
    /// commit. A dry run looks at what is stored, and a live-only feed's items are told without the store.
    private func isWrittenInOrder(_ endpoint: LocalEndpoint, _ parameters: [String], _ head: HTTPRequestHead) -> Bool {
        endpoint == .events ? head.query.items.isEmpty : FeedGate(node: node).keepsItems(of: parameters[0])
    }

    private var devices: DeviceAdminRoutes { DeviceAdminRoutes(node: node, dispatcher: dispatcher) }
}
