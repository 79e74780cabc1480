import Transport
import WireProtocol

/// The endpoints of apps.
///
/// A call that changes something refuses unknown parameters: without them it would change more than was meant, or
/// another app's. Installed apps read the inbox, mark it and register in ways that cannot be changed, for example with
/// parameters against caches. Their calls ignore unknown parameters.
extension PublicService {
    static let routes =
        inbox + preferences + devices + feeds + others + ClientFiles.shared.routes
        + SpecificationFiles.apps.routes { .anybody($0) }

    private static let inbox: [Route<Handler>] = [
        Route(
            "GET", "/api/notifications",
            query: .any(knowing: [
                "page", "limit", "asOf", "before", "after", "epoch", "unread", "type", "category", "group",
            ]), gives: .taggedJSON,
            .user(early: { InboxRoutes(node: $0, user: $1).unchangedList($2) }) { call throws(Problem) in
                try call.inbox.list(call.request, call.reply)
            }),
        // Reaches up to its bound, or without one to the end.
        Route(
            "DELETE", "/api/notifications", query: ["upTo"], takes: .optionalJSON, gives: .json,
            .user { call throws(Problem) in try call.inbox.clear(call.request)(call.reply) }),
        Route(
            "GET", "/api/notifications/groups", query: .any(knowing: ["limit"]), gives: .taggedJSON,
            .user { call throws(Problem) in try call.inbox.groups(call.request, call.reply) }),
        Route(
            "GET", "/api/notifications/unread-count", query: .any(), gives: .taggedJSON,
            .user(early: { InboxRoutes(node: $0, user: $1).rememberedCount($2) }) { call in
                call.inbox.unreadCount(call.request, call.reply)
            }),
        Route(
            "PUT", "/api/notifications/read", query: .any(), takes: .json, gives: .json,
            .user { call throws(Problem) in try call.inbox.markRead(call.request)(call.reply) }),
        Route(
            "PUT", "/api/notifications/read-all", query: ["upTo"], takes: .optionalJSON, gives: .json,
            .user { call throws(Problem) in try call.inbox.markAllRead(call.request)(call.reply) }),
        Route(
            "PUT", "/api/notifications/seen", query: ["upTo"], takes: .optionalJSON, gives: .json,
            .user { call throws(Problem) in try call.inbox.markSeen(call.request)(call.reply) }),
        Route(
            "DELETE", "/api/notifications/{id}", gives: .json.or(404),
            .user { call throws(Problem) in try call.inbox.remove(call.name)(call.reply) }),
        Route(
            "PUT", "/api/notifications/{id}/answer", takes: .json, gives: .json.or(404, 409, 422),
            .user { call throws(Problem) in
                try AnswerRoute(node: call.node, user: call.caller.user).serve(call.name, call.request, call.reply)
            }),
        Route(
            "GET", "/api/notifications/{id}/explain", gives: .json.or(403, 404),
            .user { call throws(Problem) in
                try ExplainRoute(node: call.node, user: call.caller.user).serve(call.name, call.reply)
            }
        ),
    ]

    private static let preferences: [Route<Handler>] = [
        Route(
            "GET", "/api/notifications/preferences", query: .any(), gives: .json,
            .user { call in call.preferences.show(call.request, call.reply) }),
        Route(
            "PUT", "/api/notifications/preferences", takes: .json, gives: .json.or(422),
            .user { call throws(Problem) in try call.preferences.choose(call.request, call.reply) }),
        Route(
            "GET", "/api/notifications/mutes", query: .any(), gives: .json,
            .user { call in call.preferences.mutes(call.reply) }),
        Route(
            "PUT", "/api/notifications/mutes/{subject}", takes: .optionalJSON, gives: .json.or(422),
            .user { call throws(Problem) in try call.preferences.mute(call.name, call.request, call.reply) }),
        Route(
            "DELETE", "/api/notifications/mutes/{subject}", gives: .json.or(422),
            .user { call throws(Problem) in try call.preferences.unmute(call.name, call.reply) }),
        Route(
            "GET", "/api/notifications/quiet-hours", query: .any(), gives: .json,
            .user { call in call.preferences.quietHours(call.reply) }),
        Route(
            "PUT", "/api/notifications/quiet-hours", takes: .json, gives: .json.or(422),
            .user { call throws(Problem) in try call.preferences.setQuietHours(call.request, call.reply) }),
        Route(
            "DELETE", "/api/notifications/quiet-hours", gives: .json.or(422),
            .user { call in call.preferences.endQuietHours(call.reply) }),
        Route(
            "PUT", "/api/notifications/snooze", takes: .json, gives: .json.or(422),
            .user { call throws(Problem) in try call.preferences.snooze(call.request, call.reply) }),
        Route(
            "DELETE", "/api/notifications/snooze", gives: .json.or(422),
            .user { call in call.preferences.endSnooze(call.reply) }),
    ]

    private static let devices: [Route<Handler>] = [
        Route("GET", "/api/devices", query: .any(), gives: .json, .user { call in call.devices.list(call.reply) }),
        Route(
            "PUT", "/api/devices/{id}", takes: .json, gives: .json,
            .user { call throws(Problem) in try call.devices.register(call.name, call.request, call.reply) }),
        Route(
            "DELETE", "/api/devices/{id}", query: ["app"], gives: .json,
            .user { call throws(Problem) in try call.devices.remove(call.name, call.request, call.reply) }),
        Route(
            "PUT", "/api/devices/{id}/subscription", query: ["app"], takes: .json, gives: .json,
            .user { call throws(Problem) in try call.devices.subscribe(call.name, call.request, call.reply) }),
        Route(
            "PUT", "/api/devices/{id}/activities", query: ["app"], takes: .json, gives: .json.or(404, 422),
            .user { call throws(Problem) in
                try call.activities.registerTypes(call.name, call.request, call.reply)
            }),
        Route(
            "PUT", "/api/devices/{id}/activities/{key}", query: ["app"], takes: .json, gives: .json.or(404, 422),
            .user { call throws(Problem) in
                try call.activities.registerToken(call.name, call.parameters[1], call.request, call.reply)
            }),
        Route(
            "DELETE", "/api/devices/{id}/activities/{key}", query: ["app"], gives: .json,
            .user { call throws(Problem) in
                try call.activities.dismiss(call.name, call.parameters[1], call.request, call.reply)
            }),
        Route(
            "GET", "/api/activities", query: .any(), gives: .json,
            .user { call in call.activities.list(call.reply) }),
        Route(
            "GET", "/api/push/key", query: .any(), gives: .json.or(404),
            .user { call throws(Problem) in
                try DeviceRoutes.tell(applicationServerKey: call.service.applicationServerKey, call.reply)
            }),
        Route(
            "POST", "/api/push/subscription", query: .any(knowing: ["app"]), takes: .json, gives: .json.or(404),
            .guest(isAllowed: { _ in true }) { call throws(Problem) in
                try DeviceRoutes.changeSubscription(of: call.caller, call.node, call.request, call.reply)
            }),
        Route(
            "POST", "/api/push/answer", query: .any(knowing: ["app"]), takes: .json, gives: .json.or(404, 409, 422),
            .guest(isAllowed: { _ in true }) { call throws(Problem) in
                try PushAnswerRoute(node: call.node, caller: call.caller).serve(call.request, call.reply)
            }),
        Route(
            "PUT", "/api/notifications/player-id", query: .any(knowing: ["app"]), takes: .json, gives: .json,
            .user { call throws(Problem) in try call.devices.registerPlayer(call.request, call.reply) }),
        Route(
            "POST", "/api/notifications/register-device", query: .any(knowing: ["app"]), takes: .json, gives: .json,
            .guest(isAllowed: \.registerDeviceWithoutToken) { call throws(Problem) in
                try DeviceRoutes.registerPhone(of: call.caller, call.node, call.request, call.reply)
            }),
    ]

    private static let feeds: [Route<Handler>] = [
        Route(
            "GET", "/v1/feeds/{feed}/items", query: ["after", "before", "epoch", "limit", .list("tags")],
            gives: .json.or(403),
            .user { call throws(Problem) in try call.feeds.items(of: call.name, call.request, call.reply) }),
        Route(
            "GET", "/v1/feeds/{feed}/viewed", gives: .json.or(403, 409),
            .user { call throws(Problem) in try call.feeds.marks(of: call.name).tell(call.name, call.reply) }),
        Route(
            "PUT", "/v1/feeds/{feed}/viewed", takes: .optionalJSON, gives: .json.or(403, 409),
            .user { call throws(Problem) in
                try call.feeds.marks(of: call.name).move(call.name, call.request, call.reply)
            }),
        Route(
            "POST", "/api/notifications/poll", query: .any(), takes: .json, gives: .json,
            .guest(isAllowed: \.pollWithoutToken) { call throws(Problem) in
                try PollRoute(node: call.node, caller: call.caller).serve(call.request, call.reply)
            }),
        Route(
            "GET", "/api/posts/recent-tagged", query: .any(knowing: ["after", "limit", .list("tags")]),
            gives: .json.or(403),
            .guest(isAllowed: \.pollWithoutToken) { call throws(Problem) in
                try RecentTaggedRoute(node: call.node, caller: call.caller).serve(call.request, call.reply)
            }),
    ]

    private static let others: [Route<Handler>] = [
        Route("GET", "/v1/live", query: .any(knowing: ["token"]), gives: .init([101: .nothing]).or(403, 426), .session),
        Route(
            "GET", "/v1/live/events", query: ["token", "resume", "active", "device", .list("feed")],
            gives: .init([200: .events]).or(403), .events),
        Route(
            "GET", "/v1/live/poll", query: ["resume", "active", "device", .list("feed")], gives: .json.or(403), .poll),
        Route(
            "GET", "/v1/live/poll/{session}", query: ["after"], gives: .json.or(404, 409),
            .polled { call throws(Problem) in try LivePollRoute(node: call.node).ask(call) }),
        Route(
            "DELETE", "/v1/live/poll/{session}", gives: .nothing.or(404),
            .user { call throws(Problem) in try LivePollRoute(node: call.node).end(call) }),
        Route(
            "POST", "/v1/live/frames/{session}", takes: .jsonOrLines, gives: .nothing.or(404),
            .user { call throws(Problem) in try LiveFramesRoute(node: call.node).take(call) }),
        Route("GET", "/healthz", query: .any(), gives: .text, .always(.text(200, "ok\n"))),
    ]
}
