import Inbox
import JSON
import Push
import Store
import Transport
import WireProtocol

/// `GET /v1/users/{user}/export`: what is kept about a person, as one JSON object (GDPR, articles 15 and 20).
///
/// It is read part by part, and changes in between are in the later parts alone.
struct ExportRoute: Sendable {
    /// An answer of the store's own reads, of which an export takes many.
    private static let rowsPerPage = 500
    private static let eventsPerPage = 1_000
    /// A larger trail ends there, and the answer says so.
    private static let maximumTrailPages = 2_000

    static let refused = Problem(
        status: 403, code: "call_not_allowed",
        detail: "an export has events of all publishers: expected the right \"others\"")

    let node: Node
    let user: UserID

    /// What was read so far, as JSON.
    private struct Parts: Sendable {
        var profile: UserProfile?
        var settings: UserSettings?
        var devices: [Device] = []
        var topics: [String] = []
        var activities: [KnownActivity] = []
        var notifications = JSONWriter(capacity: 4_096)
        var trail = JSONWriter(capacity: 4_096)
        var isTrailWhole = true
    }

    func serve(_ reply: HTTPReply) {
        node.store.profile(
            of: user,
            completion: reply.then { profile in
                node.store.settings(
                    of: user,
                    completion: reply.then { (settings: UserSettings) in
                        node.store.devices(
                            of: user,
                            completion: reply.then { (devices: [Device]) in
                                node.store.topics(
                                    of: user,
                                    completion: reply.then { (topics: [String]) in
                                        var parts = Parts()
                                        (parts.profile, parts.settings, parts.devices) = (profile, settings, devices)
                                        parts.topics = topics
                                        readActivities(parts, reply)
                                    })
                            })
                    })
            })
    }

    private func readActivities(_ parts: Parts, _ reply: HTTPReply) {
        let completion = reply.then { (activities: [KnownActivity]) in
            var parts = parts
            parts.activities = activities
            readInbox(parts, reply)
        }
        node.store.activities(of: user, completion: completion)
    }

    private func readInbox(_ parts: Parts, _ reply: HTTPReply) {
        let completion = reply.then { (isKnown: Bool) in
            // To read an unknown person's inbox would make one.
            guard isKnown else { return reply.send(response(parts)) }
            readPage(PageQuery(start: .offset(0), limit: Self.rowsPerPage), parts, reply)
        }
        node.store.isKnown(user, completion: completion)
    }

    private func readPage(_ query: PageQuery, _ parts: Parts, _ reply: HTTPReply) {
        let completion = reply.then { (page: Page) in
            var parts = parts
            for notification in page.notifications { notification.write(to: &parts.notifications) }
            guard page.hasMore, let end = page.end else { return readTrail(before: nil, 0, parts, reply) }
            var next = PageQuery(start: .behind(end), limit: Self.rowsPerPage, asOf: page.asOf)
            next.epoch = page.state.epoch
            readPage(next, parts, reply)
        }
        node.store.page(query, of: user, completion: completion)
    }

    private func readTrail(before: String?, _ pages: Int, _ parts: Parts, _ reply: HTTPReply) {
        let completion = reply.then { (trail: PersonalTrail?) in
            var parts = parts
            for entry in trail?.entries ?? [] { entry.write(to: &parts.trail) }
            guard let next = trail?.next else { return reply.send(response(parts)) }
            guard pages < Self.maximumTrailPages else {
                parts.isTrailWhole = false
                return reply.send(response(parts))
            }
            readTrail(before: next, pages + 1, parts, reply)
        }
        node.store.trail(of: user, before: before, limit: Self.eventsPerPage, completion: completion)
    }

    private func response(_ parts: Parts) -> HTTPResponse {
        .object { json in
            json.member("user", user.name)
            if !user.app.isUnnamed { json.member("app", user.app.text) }
            json.member("exportedAt", node.now().iso8601)
            if let moment = node.authenticator.revoked.moment(of: user) {
                json.member("tokensIssuedBefore", moment.iso8601)
            }
            json.member("profile", parts.profile.map { .object($0.json) } ?? .null)
            json.member("settings", parts.settings?.json ?? .null)
            json.key("devices")
            json.array { json in for device in parts.devices { device.writeWithBadge(to: &json) } }
            json.key("activities")
            json.array { json in for activity in parts.activities { activity.write(to: &json) } }
            json.member("topics", .array(parts.topics.map { .string(AppName.name(ofKey: $0)) }))
            json.key("notifications")
            json.array { $0.raw(parts.notifications.bytes) }
            json.key("trail")
            json.array { $0.raw(parts.trail.bytes) }
            if !parts.isTrailWhole { json.member("trailIsPartial", true) }
        }
    }
}
