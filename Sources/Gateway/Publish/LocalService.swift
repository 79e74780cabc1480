import Store
package import Transport
package import WireProtocol

/// The service of the Unix socket: publishing, for backends on this machine, and administration.
package final class LocalService: HTTPService {
    /// What serves an endpoint.
    enum Handler: Sendable {
        /// The same answer, even while the node leaves.
        case always(HTTPResponse)
        /// Decides as soon as the head is there.
        case head(
            @Sendable (LocalService, _ parameters: [String], HTTPRequestHead, _ from: Peer) throws(Problem) ->
                HTTPDisposition)
        /// Answers the whole request.
        case call(@Sendable (LocalCall) throws(Problem) -> Void)
    }

    private static let router = Router(routes)

    let node: Node
    let hub: LiveHub
    let dispatcher: PushDispatcher
    let reloads: Reloads
    private let broadcaster: Broadcaster

    package init(
        node: Node, hub: LiveHub, dispatcher: PushDispatcher, broadcaster: Broadcaster, reloads: Reloads
    ) {
        self.node = node
        self.hub = hub
        self.dispatcher = dispatcher
        self.broadcaster = broadcaster
        self.reloads = reloads
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        switch Self.router.match(head) {
        case .unserved(let answer): return .answer(answer)
        case .found(.always(let answer), _): return .answer(answer)
        case .found(_, _) where !node.isReady: return .answer(Problem(.closed).response)
        case .found(.head(let decide), let parameters):
            do throws(Problem) {
                return try decide(self, parameters, head, peer)
            } catch {
                return .answer(error.response)
            }
        case .found(.call(let serve), let parameters):
            return .collect { [self] request, reply, on in
                let reply = Self.router.checked(reply, to: request.head)
                let call = LocalCall(service: self, parameters: parameters, peer: peer, request: request, reply: reply)
                do throws(Problem) { try serve(call) } catch { reply.send(error.response, on) }
            }
        }
    }

    // MARK: Publishing

    /// Publishes of one connection share a commit, as the store keeps the order of writes. A dry run only reads it.
    func receiveEvents(_ head: HTTPRequestHead, from peer: Peer) throws(Problem) -> HTTPDisposition {
        let app = try node.apps.given(in: head.query)
        if EventStream.reads(head.mediaType) {
            if let problem = DryRunRoute.refusalOfStream(head.query) ?? EventStream.refusal(of: head) {
                return .answer(problem.response)
            }
            return .stream(EventStream(node: node, broadcaster: broadcaster, peer: peer, app: app))
        }
        guard let share = node.publishLoad.take(0, by: peer.userID) else { return .busy(overloaded()) }
        let publish: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void = { [self] request, reply, on in
            guard share.grow(by: request.body.count) else { return reply.send(overloaded(), on) }
            let reply = Self.router.checked(reply, to: request.head)
            PublishRoutes(node: node, broadcaster: broadcaster, app: app)
                .publishEvents(request, from: peer, share, reply, on)
        }
        return head.query.items.isEmpty ? .collectOverlapping(publish) : .collect(publish)
    }

    /// As ``receiveEvents(_:from:)``; the items of a live-only feed go past the store.
    func receiveItems(
        of feed: String, _ head: HTTPRequestHead, from peer: Peer
    ) throws(Problem) -> HTTPDisposition {
        let app = try node.apps.meant(by: head.query)
        guard let share = node.publishLoad.take(0, by: peer.userID) else { return .busy(overloaded()) }
        let publish: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void = { [self] request, reply, on in
            guard share.grow(by: request.body.count) else { return reply.send(overloaded(), on) }
            let reply = Self.router.checked(reply, to: request.head)
            FeedPublishRoutes(node: node, app: app, hub: hub).publish(to: feed, request, from: peer, share, reply, on)
        }
        return FeedGate(node: node, app: app).keepsItems(of: feed) ? .collectOverlapping(publish) : .collect(publish)
    }

    /// The answer without room. At the head already, a publish is refused before its body takes any.
    private func overloaded() -> HTTPResponse {
        node.metrics.eventsRefused.add()
        return Problem(.overloaded).response
    }
}
