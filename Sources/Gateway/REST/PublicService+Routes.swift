import Transport
import WireProtocol

/// The endpoints of apps.
///
/// A call that changes something refuses unknown parameters: without them it would change more than was meant, or
/// another app's. Installed apps read the inbox, mark it and register in ways that cannot be changed, for example with
/// parameters against caches. Their calls ignore unknown parameters.
extension PublicService {
    static let routes = inbox + preferences + devices + feeds + others + ClientFiles.shared.routes

    private static let inbox: [Route<Handler>] = [
        Route(
            "GET", "/api/notifications",
            query: .any(knowing: [
                "page", "limit", "asOf", "before", "after", "epoch", "unread", "type", "category", "group",
            ]),
            .user(early: { InboxRoutes(node: $0, user: $1).unchangedList($2) }) { call throws(Problem) in
                try call.inbox.list(call.request, call.reply)
            }),
        // Reaches up to its bound, or without one to the end.
        Route(
            "DELETE", "/api/notifications", query: ["upTo"],
            .user { call throws(Problem) in try call.inbox.clear(call.request, call.reply) }),
        Route(
            "GET", "/api/notifications/groups", query: .any(knowing: ["limit"]),
            .user { call throws(Problem) in try call.inbox.groups(call.request, call.reply) }),
        Route(
            "GET", "/api/notifications/unread-count", query: .any(),
            .user(early: { InboxRoutes(node: $0, user: $1).rememberedCount($2) }) { call in
                call.inbox.unreadCount(call.request, call.reply)
            }),
        Route(
            "PUT", "/api/notifications/read", query: .any(),
            .user { call throws(Problem) in try call.inbox.markRead(call.request, call.reply) }),
        Route(
            "PUT", "/api/notifications/read-all", query: ["upTo"],
            .user { call throws(Problem) in try call.inbox.markAllRead(call.request, call.reply) }),
        Route(
            "PUT", "/api/notifications/seen", query: ["upTo"],
            .user { call throws(Problem) in try call.inbox.markSeen(call.request, call.reply) }),
        Route(
            "DELETE", "/api/notifications/{id}",
            .user { call throws(Problem) in try call.inbox.remove(call.name, call.reply) }),
        Route(
            "GET", "/api/notifications/{id}/explain",
            .user { call throws(Problem) in
                try ExplainRoute(node: call.node, user: call.caller.user).serve(call.name, call.reply)
            }
        ),
    ]

    private static let preferences: [Route<Handler>] = [
        Route(
            "GET", "/api/notifications/preferences", query: .any(),
            .user { call in call.preferences.show(call.request, call.reply) }),
        Route(
            "PUT", "/api/notifications/preferences",
            .user { call throws(Problem) in try call.preferences.choose(call.request, call.reply) }),
        Route(
            "GET", "/api/notifications/mutes", query: .any(), .user { call in call.preferences.mutes(call.reply) }),
        Route(
            "PUT", "/api/notifications/mutes/{subject}",
            .user { call throws(Problem) in try call.preferences.mute(call.name, call.request, call.reply) }),
        Route(
            "DELETE", "/api/notifications/mutes/{subject}",
            .user { call throws(Problem) in try call.preferences.unmute(call.name, call.reply) }),
        Route(
            "GET", "/api/notifications/quiet-hours", query: .any(),
            .user { call in call.preferences.quietHours(call.reply) }),
        Route(
            "PUT", "/api/notifications/quiet-hours",
            .user { call throws(Problem) in try call.preferences.setQuietHours(call.request, call.reply) }),
        Route(
            "DELETE", "/api/notifications/quiet-hours",
            .user { call in call.preferences.endQuietHours(call.reply) }),
        Route(
            "PUT", "/api/notifications/snooze",
            .user { call throws(Problem) in try call.preferences.snooze(call.request, call.reply) }),
        Route("DELETE", "/api/notifications/snooze", .user { call in call.preferences.endSnooze(call.reply) }),
    ]

    private static let devices: [Route<Handler>] = [
        Route("GET", "/api/devices", query: .any(), .user { call in call.devices.list(call.reply) }),
        Route(
            "PUT", "/api/devices/{id}", query: ["app"],
            .user { call throws(Problem) in try call.devices.register(call.name, call.request, call.reply) }),
        Route(
            "DELETE", "/api/devices/{id}", query: ["app"],
            .user { call throws(Problem) in try call.devices.remove(call.name, call.request, call.reply) }),
        Route(
            "PUT", "/api/devices/{id}/subscription", query: ["app"],
            .user { call throws(Problem) in try call.devices.subscribe(call.name, call.request, call.reply) }),
        Route(
            "GET", "/api/push/key", query: .any(),
            .user { call throws(Problem) in
                try DeviceRoutes.tell(applicationServerKey: call.service.applicationServerKey, call.reply)
            }),
        Route(
            "PUT", "/api/notifications/player-id", query: .any(knowing: ["app"]),
            .user { call throws(Problem) in try call.devices.registerPlayer(call.request, call.reply) }),
        Route(
            "POST", "/api/notifications/register-device", query: .any(knowing: ["app"]),
            .guest(isAllowed: \.auth.registerDeviceWithoutToken) { call throws(Problem) in
                try DeviceRoutes.registerPhone(of: call.caller?.user, call.node, call.request, call.reply)
            }),
    ]

    private static let feeds: [Route<Handler>] = [
        Route(
            "GET", "/v1/feeds/{feed}/items", query: ["after", "before", "epoch", "limit", "tags"],
            .user { call throws(Problem) in try call.feeds.items(of: call.name, call.request, call.reply) }),
        Route(
            "GET", "/v1/feeds/{feed}/viewed",
            .user { call throws(Problem) in try call.feeds.marks(of: call.name).tell(call.name, call.reply) }),
        Route(
            "PUT", "/v1/feeds/{feed}/viewed",
            .user { call throws(Problem) in
                try call.feeds.marks(of: call.name).move(call.name, call.request, call.reply)
            }),
        Route(
            "POST", "/api/notifications/poll", query: .any(),
            .guest(isAllowed: \.auth.pollWithoutToken) { call throws(Problem) in
                try PollRoute(node: call.node, credentials: call.caller).serve(call.request, call.reply)
            }),
        Route(
            "GET", "/api/posts/recent-tagged", query: .any(knowing: ["after", "limit", "tags"]),
            .guest(isAllowed: \.auth.pollWithoutToken) { call throws(Problem) in
                try RecentTaggedRoute(node: call.node, credentials: call.caller).serve(call.request, call.reply)
            }),
    ]

    private static let others: [Route<Handler>] = [
        Route("GET", "/v1/live", query: .any(knowing: ["token"]), .session),
        Route("GET", "/healthz", query: .any(), .always(.text(200, "ok\n"))),
    ]
}
