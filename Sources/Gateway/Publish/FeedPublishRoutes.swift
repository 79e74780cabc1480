import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// Backends' calls about feeds: publishing items, and how far a person has viewed a feed.
struct FeedPublishRoutes {
    private static let maximumItems = 1_000

    let node: Node
    let app: AppName
    let hub: LiveHub

    /// `POST /v1/feeds/{feed}/items`: one item, or an array of items that are taken in together, all or none.
    ///
    /// - Parameter share: ended when the answer is given.
    func publish(
        to feed: String, _ request: HTTPRequest, by publisher: Publisher, _ share: PublishLoad.Share,
        _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            let rule = try rule(for: feed)
            try IdempotencyKey.refuse(
                in: request.head, expecting: "items are identified by the id that the feed's rule names")
            let json = try JSONBody.node(request.body)
            let key = app.key(feed)
            let (items, isArray) = (try items(json, of: key, rule), json.isArray)
            try publisher.take(items.count, at: node.now())
            if rule.keepsItems {
                let publication = FeedPublication(feed: key, items: items, length: rule.length, now: node.now())
                append(publication, isArray: isArray, share, reply)
            } else {
                let told = node.publishLoad.takeAnyway(
                    request.body.count + items.count * LiveOnlyFeeds.bytesPerItem, by: publisher)
                share.accepted(items.count)
                let now = node.now()
                let receipts = node.liveOnlyFeeds.publish(items, at: now, through: hub, told)
                node.store.pass(
                    items.map { item in
                        var item = item
                        item.stamp(now)
                        return item
                    })
                reply.send(Self.response(receipts, feed, isArray: isArray), on)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    private func append(
        _ publication: FeedPublication, isArray: Bool, _ share: PublishLoad.Share, _ reply: HTTPReply
    ) {
        let (feed, count) = (publication.feed, publication.items.count)
        node.feedPublications.begin(count, of: feed)
        node.store.append(publication) { [node] result in
            switch result {
            case .failure(let error):
                node.feedPublications.end(count, of: feed)
                reply.send(Problem(error).response, ending: share)
            case .success(let receipts):
                share.accepted(count)
                // Items that were there before are in no commit.
                node.feedPublications.end(receipts.count { !$0.isNew }, of: feed)
                reply.send(
                    Self.response(receipts, AppName.name(ofKey: feed), isArray: isArray), ending: share)
            }
        }
    }

    private func rule(for feed: String) throws(Problem) -> FeedRule { try Self.rule(for: feed, node, app) }

    static func rule(for feed: String, _ node: Node, _ app: AppName) throws(Problem) -> FeedRule {
        guard FeedName.isValid(feed) else {
            throw Problem(status: 422, code: "invalid_value", detail: "feed: expected \(FeedName.expectation)")
        }
        if let rule = FeedGate(node: node, app: app).rule(for: feed) { return rule }
        let hint = Spelling.nearest(to: feed, among: node.catalogs(of: app).feedNames)
            .map { "; did you mean \"\($0)\"?" }
        throw Problem(status: 422, code: "unknown_feed", detail: "no catalog names this feed\(hint ?? "")")
    }

    /// - Parameter feed: its key.
    private func items(_ json: JSONNode, of feed: String, _ rule: FeedRule) throws(Problem) -> [FeedItem] {
        let now = node.now()
        guard let elements = json.elements else { return [try Self.item(json, at: nil, of: feed, rule, now)] }
        guard (1...Self.maximumItems).contains(elements.count) else {
            throw Problem(
                status: 422, code: "invalid_value",
                detail: "expected 1 to \(Self.maximumItems) items, found \(elements.count)")
        }
        var items: [FeedItem] = []
        for (index, element) in elements.enumerated() {
            items.append(try Self.item(element, at: index, of: feed, rule, now))
        }
        return items
    }

    static func item(
        _ json: JSONNode, at index: Int?, of feed: String, _ rule: FeedRule, _ now: Timestamp
    ) throws(Problem) -> FeedItem {
        do throws(FeedItemProblem) {
            return try rule.item(json, of: feed, at: now)
        } catch {
            throw Problem(
                status: 422, code: error.code, detail: error.message,
                pointer: (index.map { "/\($0)" } ?? "") + error.pointer)
        }
    }

    private static func response(_ receipts: [FeedReceipt], _ feed: String, isArray: Bool) -> HTTPResponse {
        .json(202) { json in
            if isArray {
                json.array { json in for receipt in receipts { receipt.write(feed, to: &json) } }
            } else {
                for receipt in receipts { receipt.write(feed, to: &json) }
            }
        }
    }

    // MARK: Marks

    // For apps whose clients do not call us themselves.

    func mark(of user: String, at feed: String, _ reply: HTTPReply) throws(Problem) {
        try FeedMarkRoutes(node: node, user: UserID(parameter: user, in: app), pass: .open).tell(feed, reply)
    }

    func moveMark(of user: String, at feed: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        try FeedMarkRoutes(node: node, user: UserID(newParameter: user, in: app), pass: .open).move(
            feed, request, reply)
    }
}

extension FeedReceipt {
    func write(_ feed: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("epoch", position.epoch)
            json.member("offset", position.offset)
            json.member("publishedAt", maximumBytes: Timestamp.iso8601Bytes) { publishedAt.writeISO8601(to: $0) }
            if let change { json.member(change.member, change.target) }
            if !isNew { json.member("replayed", true) }
            if differs { json.member("differs", true) }
        }
    }
}
