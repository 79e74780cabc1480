import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// A person's own inbox over REST; the shapes are the app's, additions come behind them.
struct InboxRoutes {
    enum Endpoint: Sendable {
        case list, groups, unreadCount, read, readAll, seen, remove, clear
    }

    /// So many ids in one request at most.
    private static let maximumIDs = 1_000

    let node: Node
    let user: UserID

    /// For a backend, in somebody's place.
    /// - Parameter name: the user, as the path has it.
    static func serve(
        _ endpoint: Endpoint, of name: String, _ node: Node, _ request: HTTPRequest, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            InboxRoutes(node: node, user: try UserID(parameter: name)).serve(endpoint, [], request, reply, on)
        } catch {
            reply.send(error.response, on)
        }
    }

    func serve(
        _ endpoint: Endpoint, _ parameters: [String], _ request: HTTPRequest, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            switch endpoint {
            case .list: try list(request, reply)
            case .groups: try groups(request, reply)
            case .unreadCount: unreadCount(request, reply)
            case .read: try read(request, reply)
            case .readAll:
                try changeAll(request, reply, message: "All notifications marked as read") { .read(.upTo($0)) }
            case .seen: try changeAll(request, reply, message: "Notifications marked as seen") { .seen(upTo: $0) }
            case .clear: try changeAll(request, reply, message: "All notifications removed") { .remove(.upTo($0)) }
            case .remove: try remove(parameters[0], reply)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    /// The answer to a request that the head alone tells all about, where the inbox is remembered: most polls are that,
    /// and find nothing new. Nil for any other.
    func answer(_ endpoint: Endpoint, _ head: HTTPRequestHead) -> HTTPResponse? {
        guard endpoint == .unreadCount || endpoint == .list, let state = node.store.rememberedState(of: user) else {
            return nil
        }
        let known = head.headers.joined("If-None-Match")
        let response = endpoint == .list ? unchangedList(head, state, known) : Self.unreadCount(state, known)
        if response != nil { node.metrics.inboxReadsFromMemory.add() }
        return response
    }

    /// The answer to whoever has the first page of this very inbox.
    private func unchangedList(_ head: HTTPRequestHead, _ state: InboxState, _ known: String?) -> HTTPResponse? {
        let tag = ETag(state)
        // What is wrong with a query is told by the list itself. With a category it depends on the catalogs, too.
        guard tag.matches(known), let query = try? ListQuery(head.query), query.category == nil,
            query.start == .page(1, asOf: nil)
        else { return nil }
        let reader = reader(of: query, try? query.filter(node.currentCatalogs), head)
        return node.withPages { $0.renew(reader, asOf: state.seq, at: .now) } ? tag.notModified : nil
    }

    private func reader(
        of query: ListQuery, _ filter: NotificationFilter?, _ head: HTTPRequestHead
    ) -> PageSnapshots.Reader {
        PageSnapshots.Reader(
            user: user, credentials: (head.headers["Authorization"] ?? "").hashValue, limit: query.limit,
            filter: filter)
    }

    // MARK: Reading

    private func list(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let query = try ListQuery(request.head.query)
        let filter = try query.filter(node.currentCatalogs)
        let known = request.head.headers.joined("If-None-Match")
        let reader = reader(of: query, filter, request.head)
        let now = ContinuousClock.now
        let pageQuery = query.query(filter) { number, asOf in
            node.withPages { $0.query(page: number, asOf: asOf, for: reader, at: now) }
        }
        node.store.page(pageQuery, of: user) { [node] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let page):
                if case .page(let number, _) = query.start {
                    node.withPages { $0.served(page, page: number, to: reader, at: now) }
                }
                // The same inbox gives another list once the catalogs change.
                guard query.category == nil else { return reply.send(query.response(page)) }
                let tag = ETag(page.state, asOf: pageQuery.asOf)
                guard !tag.matches(known) else { return reply.send(tag.notModified) }
                reply.send(query.response(page).adding("ETag", tag.text))
            }
        }
    }

    private func groups(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let limit = try request.head.query.limit(
            usually: ListQuery.defaultLimit, atMost: ListQuery.maximumLimit)
        let known = request.head.headers.joined("If-None-Match")
        node.store.groups(limit, of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let page):
                let tag = ETag(page.state)
                guard !tag.matches(known) else { return reply.send(tag.notModified) }
                reply.send(page.response(limit: limit).adding("ETag", tag.text))
            }
        }
    }

    private func unreadCount(_ request: HTTPRequest, _ reply: HTTPReply) {
        let known = request.head.headers.joined("If-None-Match")
        node.metrics.inboxReadsFromStore.add()
        node.store.state(of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let state): reply.send(Self.unreadCount(state, known))
            }
        }
    }

    private static func unreadCount(_ state: InboxState, _ known: String?) -> HTTPResponse {
        let tag = ETag(state)
        guard !tag.matches(known) else { return tag.notModified }
        let response = HTTPResponse.json { json in
            json.object { json in
                json.key("data")
                json.object { $0.member("unreadCount", state.unread) }
            }
        }
        return response.adding("ETag", tag.text)
    }

    // MARK: Changing

    private func read(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let body = try JSONBody(request.body)
        if let group = try body.optionalText("group") {
            guard !body.has("notificationIds") else {
                throw .member("invalid_value", "group", "expected notificationIds or group, not both")
            }
            // It may be many: what a query tries to leave out would be read, too.
            if let unknown = request.head.query.items.first {
                throw .parameter(unknown.name, "unknown; this call takes none")
            }
            return apply(.readGroup(group), message: "Notifications marked as read", reply)
        }
        let ids = try body.texts("notificationIds", maximum: Self.maximumIDs)
        // An id that is not ours names nothing of this user's: it counts for nothing, as one that was removed does.
        apply(.read(.ids(ids.compactMap { NotificationID($0) })), message: "Notifications marked as read", reply)
    }

    private func remove(_ text: String, _ reply: HTTPReply) throws(Problem) {
        guard let id = NotificationID(text) else { throw .notFound }
        apply(.remove(.ids([id])), message: "Notification removed", reply)
    }

    /// Without a bound it is everything that the inbox holds when the request arrives: what comes later stays as it is.
    private func changeAll(
        _ request: HTTPRequest, _ reply: HTTPReply, message: String,
        _ command: @escaping @Sendable (Int64) -> InboxCommand
    ) throws(Problem) {
        if let upTo = try ChangeBound.read(request) { return apply(command(upTo), message: message, reply) }
        node.store.state(of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let state): self.apply(command(state.seq), message: message, reply)
            }
        }
    }

    private func apply(_ command: InboxCommand, message: String, _ reply: HTTPReply) {
        node.store.apply(command, for: user, at: node.now()) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let outcome):
                reply.send(
                    .json { json in
                        json.object { json in
                            json.key("data")
                            json.object { json in
                                json.member("message", message)
                                json.member("count", outcome.count)
                                json.member("unreadCount", outcome.state.unread)
                            }
                        }
                    })
            }
        }
    }
}
