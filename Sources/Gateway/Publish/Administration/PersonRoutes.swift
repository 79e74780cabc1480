import Inbox
import Store
import Transport
import WireProtocol

/// A person's inbox as they see it, for support people. Nothing is stored for somebody unknown.
struct PersonRoutes {
    let node: Node
    let user: UserID

    private static let unknown = Problem(
        status: 404, code: "unknown_user", detail: "nothing was ever published to this user")

    /// A page of the inbox, in the form of `GET /api/notifications`.
    func inbox(_ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        let query = try ListQuery(query)
        let pageQuery = query.query(nil) { number, _ in
            PageQuery(start: .offset((Int64(number) - 1) * Int64(query.limit)), limit: query.limit, filter: nil)
        }
        let completion = reply.then { (isKnown: Bool) in
            guard isKnown else { return reply.send(Self.unknown.response) }
            node.store.page(pageQuery, of: user, completion: reply.answer { (page: Page) in query.response(page) })
        }
        node.store.isKnown(user, completion: completion)
    }
}
