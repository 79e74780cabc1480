import Inbox
import Transport
import WireProtocol

/// One whole request at the Unix socket, and what serves requests of its kind.
struct LocalCall {
    let service: LocalService
    /// Of the path.
    let parameters: [String]
    let peer: Peer
    let request: HTTPRequest
    let reply: HTTPReply

    var node: Node { service.node }
    var query: HTTPQuery { request.head.query }
    /// The path's first parameter.
    var name: String { parameters[0] }

    var topics: TopicRoutes { TopicRoutes(node: node) }
    var users: UserRoutes { UserRoutes(node: node, hub: service.hub) }
    var trail: TrailRoutes { TrailRoutes(node: node) }
    var feeds: FeedPublishRoutes { FeedPublishRoutes(node: node, hub: service.hub) }
    var items: FeedItemRoutes { FeedItemRoutes(node: node) }
    var settings: SettingsAdminRoutes { SettingsAdminRoutes(node: node) }
    var devices: DeviceAdminRoutes { DeviceAdminRoutes(node: node, dispatcher: service.dispatcher) }
    var reloads: ReloadRoutes { ReloadRoutes(node: node, reloads: service.reloads) }
}
