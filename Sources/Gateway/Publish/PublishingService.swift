import Store
package import Transport
package import WireProtocol

/// The service of the Unix socket, and of the listener for publishers on other machines: publishing and administration.
package final class PublishingService: HTTPService {
    /// The handler of an endpoint.
    enum Handler: Sendable {
        /// The same answer, even while the node leaves.
        case always(HTTPResponse)
        /// Decides as soon as the head is there.
        case head(
            PublisherRight,
            @Sendable (PublishingService, _ parameters: [String], HTTPRequestHead, Publisher) throws(Problem) ->
                HTTPDisposition)
        /// Answers the whole request. Without a right, everybody may call it whom the settings know.
        case call(PublisherRight? = nil, @Sendable (PublishingCall) throws(Problem) -> Void)
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

    /// Serves somebody who is known already and may do everything.
    ///
    /// - Returns: also the route's path and the texts of its parameters; both empty for what no route serves.
    func receive(
        _ head: HTTPRequestHead, as publisher: Publisher
    ) -> (path: String, parameters: [String], HTTPDisposition) {
        switch Self.router.match(head) {
        case .unserved(let answer), .found(.always(let answer), _): return ("", [], .answer(answer))
        case .found(_, _) where !node.isReady: return ("", [], .answer(Problem(.closed).response))
        case .found(let handler, let parameters):
            let path = Self.router.route(for: head)?.path ?? ""
            do throws(Problem) {
                return (path, parameters, try serve(handler, parameters, head, publisher))
            } catch {
                return (path, parameters, .answer(error.response))
            }
        }
    }

    package func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        switch Self.router.match(head) {
        case .unserved(let answer): return .answer(answer)
        case .found(.always(let answer), _): return .answer(answer)
        case .found(_, _) where !node.isReady: return .answer(Problem(.closed).response)
        case .found(let handler, let parameters):
            do throws(Problem) {
                let publisher = try node.publishers.publisher(of: head, from: peer)
                return try serve(handler, parameters, head, publisher)
            } catch {
                return .answer(error.authenticated)
            }
        }
    }

    private func serve(
        _ handler: Handler, _ parameters: [String], _ head: HTTPRequestHead, _ publisher: Publisher
    ) throws(Problem) -> HTTPDisposition {
        switch handler {
        case .always(let answer): return .answer(answer)
        case .head(let right, let decide):
            try publisher.check(right)
            return try decide(self, parameters, head, publisher)
        case .call(let right, let serve):
            try publisher.check(right)
            return .collect { [self] request, reply, on in
                let reply = Self.router.checked(reply, to: request.head)
                let call = PublishingCall(
                    service: self, parameters: parameters, publisher: publisher, request: request, reply: reply)
                do throws(Problem) { try serve(call) } catch { reply.send(error.response, on) }
            }
        }
    }

    // MARK: Publishing

    /// Publishes of one connection share a commit, as the store keeps the order of writes. A dry run only reads it.
    func receiveEvents(_ head: HTTPRequestHead, by publisher: Publisher) throws(Problem) -> HTTPDisposition {
        let app = try node.apps.given(in: head.query, of: publisher)
        let form = try PublicationForm(head)
        if case .own = form, PublishStream.reads(head.mediaType) {
            if let problem = DryRunRoute.refusalOfStream(head.query) ?? PublishStream.refusal(of: head) {
                return .answer(problem.response)
            }
            return .stream(
                PublishStream(
                    node: node, broadcaster: broadcaster, publisher: publisher, app: app,
                    headers: node.tracer == nil ? [:] : head.headers))
        }
        guard let share = node.publishLoad.take(0, by: publisher) else { return .busy(overloaded()) }
        if let overload = publisher.overload { return .busy(overload.response) }
        let publish: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void = { [self] request, reply, on in
            guard share.grow(by: request.body.count) else { return reply.send(overloaded(), on) }
            let reply = Self.router.checked(reply, to: request.head)
            PublishRoutes(node: node, broadcaster: broadcaster, app: app, form: form)
                .publishEvents(request, by: publisher, share, reply, on)
        }
        // A dry run only reads what earlier events have committed.
        let overlaps = head.query.items.allSatisfy { $0.name == "app" }
        return overlaps ? .collectOverlapping(publish) : .collect(publish)
    }

    /// As ``receiveEvents(_:by:)``; the items of a live-only feed go past the store.
    func receiveItems(
        of feed: String, _ head: HTTPRequestHead, by publisher: Publisher
    ) throws(Problem) -> HTTPDisposition {
        let app = try node.apps.meant(by: head.query, of: publisher)
        guard let share = node.publishLoad.take(0, by: publisher) else { return .busy(overloaded()) }
        if let overload = publisher.overload { return .busy(overload.response) }
        let publish: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void = { [self] request, reply, on in
            guard share.grow(by: request.body.count) else { return reply.send(overloaded(), on) }
            let reply = Self.router.checked(reply, to: request.head)
            FeedPublishRoutes(node: node, app: app, hub: hub).publish(
                to: feed, request, by: publisher, share, reply, on)
        }
        return FeedGate(node: node, app: app).keepsItems(of: feed) ? .collectOverlapping(publish) : .collect(publish)
    }

    /// The answer without room. At the head already, a publish is refused before its body takes any.
    private func overloaded() -> HTTPResponse {
        node.metrics.eventsRefused.add()
        return Problem(.overloaded).response
    }
}
