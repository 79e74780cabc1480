import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// `POST /api/notifications/poll`: what an app's badges show, in one small answer; one read of a few rows.
struct PollRoute {
    let node: Node
    /// Nil where the settings let callers name themselves by their address.
    let credentials: Credentials?

    func serve(_ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard) {
        do throws(Problem) {
            let gate = FeedGate(node: node)
            let poll = try PollRequest(request.body, rule: gate.rule(for:))
            let claims = credentials.map(gate.claims)
            let requests = poll.feeds.compactMap { gate.request($0, with: claims) }
            // Whoever has a token is who it says, whatever address the body gives.
            let viewer = credentials.map { FeedViewer.user($0.user) } ?? .email(poll.userEmail ?? "")
            let address = credentials?.claims["email"]?.string
            node.store.summaries(of: requests, for: viewer) { result in
                switch result {
                case .failure(let error): reply.send(Problem(error).response)
                case .success(let found):
                    let pairs = zip(requests, found.summaries).compactMap { request, summary in
                        summary.map { (ExactText(request.feed), $0) }
                    }
                    let names = found.names + (address.map { [$0] } ?? [])
                    reply.send(poll.response(Dictionary(pairs) { first, _ in first }, names: names))
                }
            }
        } catch {
            reply.send(error.response, on)
        }
    }
}
