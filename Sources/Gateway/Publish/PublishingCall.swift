import Inbox
import Transport
import WireProtocol

/// One whole request of a publisher or administrator, and what serves requests of its kind.
struct PublishingCall {
    let service: PublishingService
    /// Of the path.
    let parameters: [String]
    let publisher: Publisher
    let request: HTTPRequest
    let reply: HTTPReply

    var node: Node { service.node }
    var query: HTTPQuery { request.head.query }
    /// The path's first parameter.
    var name: String { parameters[0] }

    /// The app that the call is about.
    var app: AppName { get throws(Problem) { try node.apps.meant(by: query, of: publisher) } }
    /// The person that the path names.
    func user() throws(Problem) -> UserID { try UserID(parameter: name, in: app) }

    var topics: TopicRoutes { get throws(Problem) { TopicRoutes(node: node, app: try app) } }
    var users: UserRoutes { get throws(Problem) { UserRoutes(node: node, app: try app, hub: service.hub) } }
    var trail: TrailRoutes { get throws(Problem) { TrailRoutes(node: node, app: try app, publisher: publisher) } }
    var feeds: FeedPublishRoutes {
        get throws(Problem) { FeedPublishRoutes(node: node, app: try app, hub: service.hub) }
    }
    var items: FeedItemRoutes { get throws(Problem) { FeedItemRoutes(node: node, app: try app) } }
    var settings: SettingsAdminRoutes { get throws(Problem) { SettingsAdminRoutes(node: node, app: try app) } }
    var devices: DeviceAdminRoutes {
        get throws(Problem) { DeviceAdminRoutes(node: node, app: try app, dispatcher: service.dispatcher) }
    }
    /// For a call whose `app` names the device's own app, too: see ``Device/app``.
    var labelledDevices: DeviceAdminRoutes {
        get throws(Problem) {
            let app = try node.apps.labelled(by: query, of: publisher)
            return DeviceAdminRoutes(node: node, app: app, dispatcher: service.dispatcher)
        }
    }
    var webhooks: WebhookRoutes { WebhookRoutes(node: node, app: publisher.record?.app) }
    var reloads: ReloadRoutes { ReloadRoutes(node: node, reloads: service.reloads) }
}
