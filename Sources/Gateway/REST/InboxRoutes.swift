import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// A person's own inbox over REST. The shapes are the app's; additions come behind them.
struct InboxRoutes {
    /// How many ids one request may name.
    private static let maximumIDs = 1_000

    let node: Node
    let user: UserID

    /// A change that a request asks for: makes it, and answers.
    typealias Change = @Sendable (HTTPReply) -> Void

    /// Serves a backend on a person's behalf. For an unknown person nothing is stored, and there is nothing to read.
    ///
    /// - Parameter read: reads the change of a request, which is refused for what is wrong in it, whoever it is about.
    static func serve(
        _ call: PublishingCall, _ read: (InboxRoutes) -> (HTTPRequest) throws(Problem) -> Change
    ) throws(Problem) {
        let routes = InboxRoutes(node: call.node, user: try call.user())
        let (change, reply) = (try read(routes)(call.request), call.reply)
        let completion = reply.then { (isKnown: Bool) in
            guard isKnown else { return reply.send(changed(0, message: "The person has no inbox", unread: 0)) }
            change(reply)
        }
        call.node.store.isKnown(routes.user, completion: completion)
    }

    // MARK: From memory

    // A head is enough if the inbox is remembered: most polls are such, and find nothing new.

    func rememberedCount(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard let state = node.store.rememberedState(of: user) else { return nil }
        node.metrics.inboxReadsFromMemory.add()
        return Self.unreadCount(state, head.headers.joined("If-None-Match"))
    }

    /// The answer to a client that already has the first page of this inbox state.
    func unchangedList(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard let state = node.store.rememberedState(of: user) else { return nil }
        let tag = ETag(state)
        // The list itself reports a wrong query. With a category, the answer also depends on the catalogs.
        guard tag.matches(head.headers.joined("If-None-Match")), let query = try? ListQuery(head.query),
            query.category == nil, query.start == .page(1, asOf: nil)
        else { return nil }
        let reader = reader(of: query, try? query.filter(node.catalogs(of: user.app)), head)
        guard node.withPages({ $0.renew(reader, asOf: state.seq, at: .now) }) else { return nil }
        node.metrics.inboxReadsFromMemory.add()
        return tag.notModified
    }

    private func reader(
        of query: ListQuery, _ filter: NotificationFilter?, _ head: HTTPRequestHead
    ) -> PageSnapshots.Reader {
        PageSnapshots.Reader(
            user: user, credentials: (head.headers["Authorization"] ?? "").hashValue, limit: query.limit,
            filter: filter)
    }

    // MARK: Reading

    func list(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let query = try ListQuery(request.head.query)
        let filter = try query.filter(node.catalogs(of: user.app))
        let known = request.head.headers.joined("If-None-Match")
        let reader = reader(of: query, filter, request.head)
        let now = ContinuousClock.now
        let pageQuery = query.query(filter) { number, asOf in
            node.withPages { $0.query(page: number, asOf: asOf, for: reader, at: now) }
        }
        let completion = reply.answer { [node] (page: Page) in
            if case .page(let number, _) = query.start {
                node.withPages { $0.served(page, page: number, to: reader, at: now) }
            }
            // With a category, changed catalogs give another list for the same inbox.
            guard query.category == nil else { return query.response(page) }
            return ETag(page.state, asOf: pageQuery.asOf).answer(to: known) { query.response(page) }
        }
        node.store.page(pageQuery, of: user, completion: completion)
    }

    func groups(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let limit = try request.head.query.limit(
            usually: ListQuery.defaultLimit, atMost: ListQuery.maximumLimit)
        let known = request.head.headers.joined("If-None-Match")
        let completion = reply.answer { (page: GroupPage) in
            ETag(page.state).answer(to: known) { page.response(limit: limit) }
        }
        node.store.groups(limit, of: user, completion: completion)
    }

    func unreadCount(_ request: HTTPRequest, _ reply: HTTPReply) {
        let known = request.head.headers.joined("If-None-Match")
        node.metrics.inboxReadsFromStore.add()
        node.store.state(of: user, completion: reply.answer { Self.unreadCount($0, known) })
    }

    private static func unreadCount(_ state: InboxState, _ known: String?) -> HTTPResponse {
        ETag(state).answer(to: known) { .data { json in json.object { $0.member("unreadCount", state.unread) } } }
    }

    // MARK: Changing

    func markRead(_ request: HTTPRequest) throws(Problem) -> Change {
        let body = try JSONBody(request.body)
        if let group = try body.optionalText("group") {
            guard !body.has("notificationIds") else {
                throw .member("invalid_value", "group", "expected notificationIds or group, not both")
            }
            // A group may be large: a bound in the query that was ignored would mark too much as read.
            if let unknown = request.head.query.items.first {
                throw .parameter(unknown.name, "unknown; this call takes none")
            }
            return applying(.readGroup(group), message: "Notifications marked as read")
        }
        let ids = try body.texts("notificationIds", maximum: Self.maximumIDs)
        // An id that is not ours names none of this user's notifications: it is ignored, like a removed one's.
        return applying(.read(.ids(ids.compactMap { NotificationID($0) })), message: "Notifications marked as read")
    }

    func remove(_ text: String) throws(Problem) -> Change {
        guard let id = NotificationID(text) else { throw .notFound }
        return applying(.remove(.ids([id])), message: "Notification removed")
    }

    func markAllRead(_ request: HTTPRequest) throws(Problem) -> Change {
        try changingAll(request, message: "All notifications marked as read") { .read(.upTo($0)) }
    }

    func markSeen(_ request: HTTPRequest) throws(Problem) -> Change {
        try changingAll(request, message: "Notifications marked as seen") { .seen(upTo: $0) }
    }

    func clear(_ request: HTTPRequest) throws(Problem) -> Change {
        try changingAll(request, message: "All notifications removed") { .remove(.upTo($0)) }
    }

    /// Without a bound, changes everything that the inbox holds when the request arrives; later notifications stay as
    /// they are.
    private func changingAll(
        _ request: HTTPRequest, message: String, _ command: @escaping @Sendable (Int64) -> InboxCommand
    ) throws(Problem) -> Change {
        if let upTo = try ChangeBound.read(request) { return applying(command(upTo), message: message) }
        return { reply in
            node.store.state(of: user, completion: reply.then { applying(command($0.seq), message: message)(reply) })
        }
    }

    private func applying(_ command: InboxCommand, message: String) -> Change {
        { reply in
            let completion = reply.answer { (outcome: CommandOutcome) in
                Self.changed(outcome.count, message: message, unread: outcome.state.unread)
            }
            node.store.apply(command, for: user, at: node.now(), completion: completion)
        }
    }

    private static func changed(_ count: Int64, message: String, unread: Int64) -> HTTPResponse {
        .data { json in
            json.object { json in
                json.member("message", message)
                json.member("count", count)
                json.member("unreadCount", unread)
            }
        }
    }
}
