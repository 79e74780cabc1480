import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `POST /api/notifications/poll`: the data for an app's badges in one small answer, from one read of a few rows.
struct PollRoute {
    let node: Node
    /// Without a token, the body's address tells who it is.
    let caller: Guest
    private var credentials: Credentials? { caller.credentials }

    func serve(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let gate = FeedGate(node: node, app: caller.app)
        let poll = try PollRequest(request.body, rule: gate.rule(for:))
        let claims = credentials.map(gate.claims)
        let requests = poll.feeds.compactMap { gate.request($0, with: claims) }
        // A token decides who the caller is, whatever address the body gives.
        let viewer = credentials.map { FeedViewer.user($0.user) } ?? .email(poll.userEmail ?? "", in: caller.app)
        let address = credentials?.claims["email"]?.string
        let completion = reply.answer { (found: FeedSummaries) in
            let pairs = zip(requests, found.summaries).compactMap { request, summary in
                summary.map { (ExactText(AppName.name(ofKey: request.feed)), $0) }
            }
            let names = found.names + (address.map { [$0] } ?? [])
            return poll.response(Dictionary(pairs) { first, _ in first }, names: names)
        }
        node.store.summaries(of: requests, for: viewer, completion: completion)
    }
}
