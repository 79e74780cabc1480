import Store
import Transport
import WireProtocol

/// The endpoints of backends and administrators. An unknown parameter of the query is refused. All that are about people
/// take `app`.
extension PublishingService {
    /// The first route is the one that is asked for most.
    /// A publisher without the right is refused on each.
    static let routes = ((events + trail + feeds + topics + users + devices).map { $0.taking("app") } + node)
        .map { $0.giving(403) }

    private static let events: [Route<Handler>] = [
        Route(
            "POST", "/v1/events", query: ["dryRun"], takes: .events,
            gives: .init([200: .json, 202: .json]).or(409, 415, 422),
            .head(.publish) { service, _, head, publisher throws(Problem) in
                try service.receiveEvents(head, by: publisher)
            }),
        Route(
            "GET", "/v1/events/{event}", gives: .json.or(404),
            .call(.trail) { call throws(Problem) in
                try BroadcastRoute(node: call.node, app: call.app, publisher: call.publisher).serve(
                    call.name, call.reply)
            }),
        Route(
            "GET", "/v1/events/{event}/answers", query: ["wait", "until", "after", "limit"], gives: .json.or(404),
            .call(.publish) { call throws(Problem) in
                try AnswersRoute(node: call.node, app: call.app, publisher: call.publisher).serve(
                    call.name, call.query, call.reply)
            }),
        Route(
            "DELETE", "/v1/events/{key}", query: ["publisher"], gives: .json.or(404),
            .call(.retract) { call throws(Problem) in
                try RetractRoute(node: call.node, app: call.app).serve(
                    key: call.name, by: call.publisher, of: call.query["publisher"], call.reply)
            }),
        Route(
            "PATCH", "/v1/notifications", query: ["type", "user", "actor", "key"], takes: .json, gives: .json.or(422),
            .call(.patch) { call throws(Problem) in
                try PatchRoute(node: call.node, app: call.app).serve(
                    call.query, by: call.publisher, call.request, call.reply)
            }),
    ]

    private static let trail: [Route<Handler>] = [
        Route(
            "GET", "/v1/trail", query: ["key", "publisher", "user", "after", "limit"], gives: .json.or(404),
            .call(.trail) { call throws(Problem) in try call.trail.report(keyIn: call.query, call.reply) }),
        Route(
            "GET", "/v1/trail/{event}", query: ["user", "after", "limit"], gives: .json.or(404),
            .call(.trail) { call throws(Problem) in try call.trail.report(.id(call.name), call.query, call.reply) }),
        Route(
            "GET", "/v1/users/{user}/trail", query: ["before", "limit"], gives: .json.or(404),
            .call(.trail) { call throws(Problem) in try call.trail.person(call.name, call.query, call.reply) }),
    ]

    private static let feeds: [Route<Handler>] = [
        Route(
            "POST", "/v1/feeds/{feed}/items", takes: .json, gives: .accepted.or(422),
            .head(.feeds) { service, parameters, head, publisher throws(Problem) in
                try service.receiveItems(of: parameters[0], head, by: publisher)
            }),
        Route(
            "PUT", "/v1/feeds/{feed}/items/{id}", takes: .json, gives: .json.or(404, 409, 422),
            .call(.feeds) { call throws(Problem) in
                try call.items.replace(call.parameters[1], of: call.name, call.request, call.reply)
            }),
        Route(
            "DELETE", "/v1/feeds/{feed}/items/{id}", gives: .json.or(404, 409, 422),
            .call(.feeds) { call throws(Problem) in
                try call.items.remove(call.parameters[1], of: call.name, call.reply)
            }),
        Route(
            "GET", "/v1/users/{user}/feeds/{feed}/viewed", gives: .json.or(403, 409),
            .call(.feeds) { call throws(Problem) in
                try call.feeds.mark(of: call.name, at: call.parameters[1], call.reply)
            }),
        Route(
            "PUT", "/v1/users/{user}/feeds/{feed}/viewed", takes: .optionalJSON, gives: .json.or(403, 409),
            .call(.feeds) { call throws(Problem) in
                try call.feeds.moveMark(of: call.name, at: call.parameters[1], call.request, call.reply)
            }),
    ]

    private static let topics: [Route<Handler>] = [
        Route(
            "GET", "/v1/topics/{topic}/members", query: ["after", "limit"], gives: .json,
            .call(.topics) { call throws(Problem) in try call.topics.list(call.name, call.query, call.reply) }),
        Route(
            "PUT", "/v1/topics/{topic}/members", takes: .json, gives: .json.or(409),
            .call(.topics) { call throws(Problem) in try call.topics.write(call.name, call.request, call.reply) }),
        Route(
            "DELETE", "/v1/topics/{topic}/members", gives: .json.or(409),
            .call(.topics) { call throws(Problem) in try call.topics.empty(call.name, call.request, call.reply) }),
        Route(
            "GET", "/v1/users/{user}/topics", gives: .json,
            .call(.topics) { call throws(Problem) in try call.topics.topics(of: call.name, call.reply) }),
    ]

    private static let users: [Route<Handler>] = [
        Route(
            "GET", "/v1/users/{user}", gives: .json.or(404),
            .call(.users) { call throws(Problem) in try call.users.read(call.name, call.reply) }),
        Route(
            "PUT", "/v1/users/{user}", takes: .json, gives: .nothing.or(413, 422),
            .call(.users) { call throws(Problem) in try call.users.write(call.name, call.request, call.reply) }),
        Route(
            "DELETE", "/v1/users/{user}", gives: .json,
            .call(.erase) { call throws(Problem) in try call.users.erase(call.name, call.reply) }),
        Route(
            "GET", "/v1/users/{user}/sessions", gives: .json,
            .call(.users) { call throws(Problem) in try call.users.sessions(call.name, call.reply) }),
        Route(
            "POST", "/v1/users/{user}/disconnect", gives: .json,
            .call(.users) { call throws(Problem) in try call.users.disconnect(call.name, call.reply) }),
        Route(
            "POST", "/v1/users/{user}/revoke", gives: .json,
            .call(.users) { call throws(Problem) in try call.users.revoke(call.name, call.reply) }),
        Route(
            "GET", "/v1/users/{user}/notifications", query: ["before", "limit"], gives: .json.or(404),
            .call(.users) { call throws(Problem) in
                let person = PersonRoutes(node: call.node, user: try call.user())
                try person.inbox(call.query, call.reply)
            }),
        Route(
            "GET", "/v1/users/{user}/export", gives: .json,
            .call(.users) { call throws(Problem) in
                guard call.publisher.reachesOthers else { throw ExportRoute.refused }
                ExportRoute(node: call.node, user: try call.user()).serve(call.reply)
            }),
        Route(
            "GET", "/v1/users/{user}/preferences", gives: .json,
            .call(.users) { call throws(Problem) in
                PreferenceRoutes(node: call.node, user: try call.user()).show(call.request, call.reply)
            }),
        Route(
            "PUT", "/v1/users/{user}/notifications/seen", query: ["upTo"], takes: .optionalJSON, gives: .json,
            .call(.users) { call throws(Problem) in try InboxRoutes.serve(call, InboxRoutes.markSeen) }),
        Route(
            "PUT", "/v1/users/{user}/notifications/read", takes: .json, gives: .json,
            .call(.users) { call throws(Problem) in try InboxRoutes.serve(call, InboxRoutes.markRead) }),
        Route(
            "PUT", "/v1/users/{user}/notifications/read-all", query: ["upTo"], takes: .optionalJSON, gives: .json,
            .call(.users) { call throws(Problem) in try InboxRoutes.serve(call, InboxRoutes.markAllRead) }),
        Route(
            "PUT", "/v1/users/{user}/notifications/{id}/answer", takes: .json, gives: .json.or(404, 409, 422),
            .call(.users) { call throws(Problem) in
                try AnswerRoute(node: call.node, user: try call.user()).serve(
                    fromBackend: call.parameters[1], call.request, call.reply)
            }),
        Route(
            "GET", "/v1/users/{user}/settings", gives: .json,
            .call(.users) { call throws(Problem) in try call.settings.show(call.name, call.reply) }),
        Route(
            "PUT", "/v1/users/{user}/settings", takes: .json, gives: .json.or(422),
            .call(.users) { call throws(Problem) in try call.settings.replace(call.name, call.request, call.reply) }),
    ]

    private static let devices: [Route<Handler>] = [
        Route(
            "GET", "/v1/users/{user}/devices", gives: .json,
            .call(.users) { call throws(Problem) in try call.devices.list(call.name, call.reply) }),
        Route(
            "PUT", "/v1/users/{user}/devices/{id}", takes: .json, gives: .json,
            .call(.users) { call throws(Problem) in
                try call.devices.register(call.parameters[1], for: call.name, call.request, call.reply)
            }),
        Route(
            "DELETE", "/v1/users/{user}/devices/{id}", query: ["app"], gives: .nothing.or(404),
            .call(.users) { call throws(Problem) in
                let devices = try call.labelledDevices
                let label = try DeviceRoutes.label(in: call.query, of: devices.app)
                try devices.delete(call.parameters[1], label: label, of: call.name, call.reply)
            }),
        Route(
            "GET", "/v1/users/{user}/activities", gives: .json,
            .call(.users) { call throws(Problem) in try call.devices.listActivities(of: call.name, call.reply) }),
        Route(
            "POST", "/v1/users/{user}/test-push", takes: .optionalJSON, gives: .json.or(404),
            .call(.users) { call throws(Problem) in try call.devices.test(call.name, call.request, call.reply) }),
        Route(
            "POST", "/v1/users/{user}/resend-badge", gives: .json,
            .call(.users) { call throws(Problem) in try call.devices.resendBadge(call.name, call.reply) }),
    ]

    private static let node: [Route<Handler>] = [
        Route(
            "GET", "/v1/push", gives: .json,
            .call { call in PushStatusRoute(dispatcher: call.service.dispatcher).serve(call.reply) }),
        Route(
            "POST", "/v1/reload", gives: .json.or(422),
            .call(.reload) { call throws(Problem) in
                try call.reloads.reload(of: call.publisher.record?.app, call.reply)
            }),
        Route(
            "GET", "/v1/catalogs", gives: .json,
            .call { call in
                call.reloads.list(of: call.publisher.record?.app, call.reply)
            }),
        Route(
            "GET", "/v1/publishers", gives: .json,
            .call(.reload) { call in
                PublisherRoutes(node: call.node).list(of: call.publisher.record?.app, call.reply)
            }),
        Route(
            "GET", "/v1/webhooks", gives: .json, .call(.reload) { call in call.webhooks.list(call.reply) }),
        Route(
            "GET", "/v1/webhooks/{endpoint}", gives: .json.or(404),
            .call(.reload) { call throws(Problem) in try call.webhooks.letters(of: call.name, call.reply) }),
        Route(
            "POST", "/v1/webhooks/{endpoint}/replay", gives: .json.or(404),
            .call(.reload) { call throws(Problem) in try call.webhooks.replay(call.name, call.reply) }),
        // Monitoring tools add whatever they like.
        Route("GET", "/healthz", query: .any(), gives: .text, .always(.text(200, "ok\n"))),
    ]
}
