import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// How far a person has viewed a feed: read and moved, by the person or by their app's backend.
struct FeedMarkRoutes {
    let node: Node
    let user: UserID
    let pass: FeedPass

    func tell(_ feed: String, _ reply: HTTPReply) throws(Problem) {
        try check(feed)
        let completion = reply.answer(or: .feedRefused) { Self.response($0, feed) }
        node.store.mark(of: user.app.key(feed), by: user, with: pass, completion: completion)
    }

    /// The body is `{offset, epoch}` or `{time}`; without one, everything is marked that the feed holds now.
    func move(_ feed: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        try check(feed)
        let place = try place(request.body, in: feed)
        let move = reply.then(or: .feedRefused) { [node, user] (_: FeedMark) in
            node.store.markViewed(
                user.app.key(feed), upTo: place, by: user,
                completion: reply.answer { Self.response($0, feed, asked: place) })
        }
        node.store.mark(of: user.app.key(feed), by: user, with: pass, completion: move)
    }

    private static func response(_ mark: FeedMark, _ feed: String, asked place: FeedMark.Place) -> HTTPResponse {
        guard case .position(let position) = place, position.epoch != mark.head.epoch else {
            return response(mark, feed)
        }
        let problem = Problem(
            status: 409, code: "other_epoch",
            detail: "the offset is of another epoch of this feed: its epoch is now \(mark.head.epoch)")
        return problem.response
    }

    private func check(_ feed: String) throws(Problem) {
        try FeedGate.check(feed)
        guard !FeedGate(node: node, app: user.app).keepsItems(of: feed) else { return }
        throw Problem(
            status: 409, code: "live_only", detail: "this feed keeps no items, so it has no viewed mark")
    }

    private func place(_ body: [UInt8], in feed: String) throws(Problem) -> FeedMark.Place {
        guard !body.isEmpty else { return .head }
        let members = try KnownMembers(body, known: ["offset", "epoch", "time"])
        switch (members.value("offset"), members.value("time")) {
        case (nil, nil): return .head
        case (let offset?, nil):
            guard let offset = offset.int, offset >= 0 else {
                throw .member("invalid_value", "offset", "expected a whole number, not negative")
            }
            // After a restore the same offsets are other items'.
            guard let epoch = members.value("epoch")?.string else {
                throw .member("missing_field", "epoch", "expected the epoch of the offset")
            }
            return .position(FeedPosition(epoch: epoch, offset: offset))
        case (nil, let time?):
            let rule = FeedGate(node: node, app: user.app).rule(for: feed) ?? .undeclared(feed)
            guard let time = time.string.flatMap({ rule.moment($0) }) else {
                throw .member("invalid_value", "time", rule.momentExpectation)
            }
            return .time(time)
        case (_?, _?): throw .member("invalid_value", "time", "expected offset or time, not both")
        }
    }

    private static func response(_ mark: FeedMark, _ feed: String) -> HTTPResponse {
        .data { json in
            json.object { json in
                json.member("feed", feed)
                json.member("epoch", mark.head.epoch)
                json.member("viewed", mark.viewed)
                json.member("offset", mark.head.offset)
                json.member("newer", mark.newer)
            }
        }
    }
}
