package import Transport

/// What a node serves at its listeners. Each shard has endpoints of its own, which share the rooms for bodies.
package struct Endpoints: Sendable {
    private let core: NodeCore
    private let edge: Edge
    private let publishingEdge: PublishingEdge?
    /// Nil unless in development.
    private let demo: Demo?
    private let originRefusals: OriginRefusals
    private let publishedBodies = BodyRoom()
    private let publishersAnswers = BodyRoom()

    init(_ core: NodeCore, edge: Edge, publishingEdge: PublishingEdge?, demo: Demo?) {
        (self.core, self.edge, self.publishingEdge, self.demo) = (core, edge, publishingEdge, demo)
        originRefusals = OriginRefusals(logger: core.node.logger, now: core.node.now)
    }

    /// Those of a node with neither publishers on other machines nor a demo.
    ///
    /// - Throws: a problem with the certificate, its key, or a list in the settings.
    package init(_ core: NodeCore) throws {
        try self.init(core, edge: Edge(core.node.settings), publishingEdge: nil, demo: nil)
    }

    /// The public listener's on the shard of this turn.
    package func clients(_ on: borrowing OnShard) -> HTTPEndpoint {
        edge.endpoint(
            PublicService(
                node: core.node, live: core.hub.shard(on), origins: edge.origins, crossOrigin: edge.crossOrigin,
                originRefusals: originRefusals, applicationServerKey: core.dispatcher.applicationServerKey,
                demo: demo))
    }

    /// The Unix socket's.
    package func publishers() -> HTTPEndpoint {
        HTTPEndpoint(
            core.publishingService, isLocal: true, limits: HTTPLimits(core.node.settings.limits),
            bodies: publishedBodies, answers: publishersAnswers)
    }

    /// The listener's for publishers on other machines; nil without one.
    func remotePublishers() -> HTTPEndpoint? { publishingEdge?.endpoint(core.publishingService) }
}
