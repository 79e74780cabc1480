import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `PUT` and `DELETE /v1/feeds/{feed}/items/{id}`: replaces or removes a published item.
struct FeedItemRoutes {
    let node: Node
    let app: AppName

    func replace(_ id: String, of feed: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let rule = try rule(for: feed)
        let items = [try item(id, of: feed, request.body, rule)]
        let publication = FeedPublication(feed: app.key(feed), items: items, length: rule.length, now: node.now())
        node.store.replace(publication, completion: begin(feed, reply))
    }

    func remove(_ id: String, of feed: String, _ reply: HTTPReply) throws(Problem) {
        let rule = try rule(for: feed)
        let publication = FeedPublication(feed: app.key(feed), items: [], length: rule.length, now: node.now())
        node.store.remove(item: id, publication, completion: begin(feed, reply))
    }

    /// - Returns: answers with the outcome.
    private func begin(
        _ feed: String, _ reply: HTTPReply
    ) -> @Sendable (Result<FeedReceipt?, StoreError>) -> Void {
        let key = app.key(feed)
        node.feedPublications.begin(1, of: key)
        let answer = reply.answer(or: Self.unknown) { (receipt: FeedReceipt) in .json { receipt.write(feed, to: &$0) } }
        return { [node] result in
            // A call that changes nothing is in no commit.
            if (try? result.get())?.isNew != true { node.feedPublications.end(1, of: key) }
            answer(result)
        }
    }

    private static let unknown = Problem(
        status: 404, code: "unknown_item", detail: "the feed has no item of this id, or keeps it no longer")

    private func rule(for feed: String) throws(Problem) -> FeedRule {
        let rule = try FeedPublishRoutes.rule(for: feed, node, app)
        guard rule.keepsItems else {
            throw Problem(
                status: 409, code: "live_only", detail: "this feed keeps no items, so none can be replaced or removed")
        }
        guard rule.namesItems else {
            throw Problem(
                status: 409, code: "items_without_ids",
                detail: "no catalog says where items of this feed have their id; expected a rule for it with id")
        }
        return rule
    }

    private func item(
        _ id: String, of feed: String, _ body: [UInt8], _ rule: FeedRule
    ) throws(Problem) -> FeedItem {
        let item = try FeedPublishRoutes.item(JSONBody.node(body), at: nil, of: app.key(feed), rule, node.now())
        guard item.id.map({ ExactText($0) }) == ExactText(id) else {
            throw Problem(
                status: 422, code: "invalid_value", detail: "the item has another id than the path; expected the same")
        }
        return item
    }
}
