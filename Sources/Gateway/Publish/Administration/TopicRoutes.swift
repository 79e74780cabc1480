import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `/v1/topics/{topic}/members` and `/v1/users/{user}/topics`: the sets of people that backends keep.
struct TopicRoutes {
    private static let maximumUsers = 100_000
    private static let usualLimit = 1_000
    private static let maximumLimit = 10_000

    let node: Node
    let app: AppName

    /// `{"users": […]}` replaces the members, `{"add"?: […], "remove"?: […]}` adds and removes some.
    func write(_ topic: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let members = try KnownMembers(request.body, known: ["users", "add", "remove"])
        let completion = Self.completion(topic, reply)
        let new: (String) -> UserID? = { UserID($0, in: app) }
        let users = try Self.users(members, "users", new)
        let newcomers = try Self.users(members, "add", new)
        // A topic without members is not kept, so only a call that adds some creates one.
        try Self.check(topic, isNew: users?.isEmpty == false || newcomers?.isEmpty == false)
        if let users {
            guard members.value("add") == nil, members.value("remove") == nil else {
                throw .member("invalid_value", "users", "expected either users, or add and remove")
            }
            node.store.replaceMembers(of: app.key(topic), with: users, completion: completion)
        } else {
            let leavers = try Self.users(members, "remove") { UserID(known: $0, in: app) }
            guard newcomers != nil || leavers != nil else {
                throw .member("missing_field", "users", "expected users, or add or remove")
            }
            node.store.changeMembers(
                of: app.key(topic), adding: newcomers ?? [], removing: leavers ?? [], completion: completion)
        }
    }

    /// Removes all members. A body that names some is refused: it belongs to `PUT`, and proxies may drop it here (RFC
    /// 9110 §9.3.5).
    func empty(_ topic: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        if !request.body.isEmpty { _ = try KnownMembers(request.body, known: []) }
        try Self.check(topic)
        node.store.replaceMembers(of: app.key(topic), with: [], completion: Self.completion(topic, reply))
    }

    /// - Parameter query: `after`, the last member of the previous page, and `limit`.
    func list(_ topic: String, _ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        try Self.check(topic)
        let limit = try query.limit(usually: Self.usualLimit, atMost: Self.maximumLimit)
        let user = try query["after"].map { text throws(Problem) in try UserID(parameter: text, in: app) }
        // A topic without members is not kept, so asking for one is no mistake.
        let completion = reply.answer { (page: TopicPage?) in
            Self.response(page ?? TopicPage(members: [], count: 0, hasMore: false), of: topic)
        }
        node.store.members(of: app.key(topic), after: user, limit: limit, completion: completion)
    }

    func topics(of user: String, _ reply: HTTPReply) throws(Problem) {
        let completion = reply.answer { (topics: [String]) in
            .object { $0.member("topics", .array(topics.map { .string(AppName.name(ofKey: $0)) })) }
        }
        node.store.topics(of: try UserID(parameter: user, in: app), completion: completion)
    }

    /// - Parameter isNew: whether this call may create the topic.
    private static func check(_ topic: String, isNew: Bool = false) throws(Problem) {
        guard isNew ? TopicName.isValid(topic) : TopicName.mayBeKnown(topic) else {
            throw .parameter("expected \(TopicName.expectation)")
        }
    }

    /// - Parameter user: makes a user of a name; nil if it can be none.
    private static func users(
        _ members: KnownMembers, _ key: String, _ user: (String) -> UserID?
    ) throws(Problem) -> [UserID]? {
        guard let value = members.value(key) else { return nil }
        guard let elements = value.array else { throw .member("wrong_type", key, "expected an array of user ids") }
        guard elements.count <= maximumUsers else {
            throw .member("invalid_value", key, "expected at most \(maximumUsers) user ids")
        }
        var users: [UserID] = []
        users.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let user = element.string.flatMap(user) else {
                throw Problem(
                    status: 400, code: "invalid_value",
                    detail: "expected \(UserID.expectation)", pointer: "/\(key)/\(index)")
            }
            users.append(user)
        }
        return users
    }

    private static func completion(
        _ topic: String, _ reply: HTTPReply
    ) -> @Sendable (Result<TopicOutcome, StoreError>) -> Void {
        reply.answer { outcome in
            guard !outcome.isOvertaken else { return overtaken.response }
            return .object { json in
                json.member("topic", topic)
                json.member("added", outcome.added)
                json.member("removed", outcome.removed)
            }
        }
    }

    private static let overtaken = Problem(
        status: 409, code: "overtaken",
        detail: "another call replaced the members meanwhile: the topic has the members of that call")

    private static func response(_ page: TopicPage, of topic: String) -> HTTPResponse {
        .object { json in
            json.member("topic", topic)
            json.member("count", page.count)
            json.member("members", .array(page.members.map { .string($0.name) }))
            if page.hasMore, let last = page.members.last { json.member("next", last.name) }
        }
    }
}

extension UserID {
    /// Reads a part of a path or query that names a user who may be known.
    init(parameter text: String, in app: AppName) throws(Problem) {
        guard let user = UserID(known: text, in: app) else { throw .userID }
        self = user
    }

    /// Reads a part of a path that names a user about whom something will be stored.
    init(newParameter text: String, in app: AppName) throws(Problem) {
        guard let user = UserID(text, in: app) else { throw .userID }
        self = user
    }
}

extension Problem {
    fileprivate static let userID = parameter("expected \(UserID.expectation)")
}
