import Logging
import Transport

/// The operators' listener, on a shard of its own: probes and metrics are answered until the process ends, and a scrape
/// or a console delays no delivery.
final class OpsListener: Sendable {
    /// How often to try again while another process has the address.
    private static let retryInterval = Duration.milliseconds(200)

    private let node: Node
    private let edge: Edge
    private let publishingEdge: PublishingEdge?
    private let shards: ShardGroup
    private let clientShards: ShardGroup
    private let signIn: ConsoleSignIn?
    private let makePublishing: @Sendable () -> PublishingService

    /// - Parameters:
    ///   - clientShards: the shards whose connections are counted.
    ///   - signIn: signs people in at the console; nil without a provider.
    ///   - makePublishing: makes what serves the console's calls.
    init(
        node: Node, edge: Edge, publishingEdge: PublishingEdge?, clientShards: ShardGroup,
        signIn: ConsoleSignIn?, makePublishing: @escaping @Sendable () -> PublishingService
    ) throws(SystemCallError) {
        self.makePublishing = makePublishing
        self.node = node
        self.edge = edge
        self.publishingEdge = publishingEdge
        self.clientShards = clientShards
        self.signIn = signIn
        shards = try ShardGroup(count: 1, poller: node.settings.poller.kind)
    }

    /// Starts to accept.
    ///
    /// - Parameter socket: nil to open the settings' address as soon as it is free.
    func start(_ socket: ListeningSocket?) {
        shards.shards[0].post { [self] on in
            if let socket { listen(socket, on) } else { open(on) }
        }
    }

    private func listen(_ socket: ListeningSocket, _ on: borrowing OnShard) {
        let console = ConsoleService(
            node: node, publishing: makePublishing(), shards: clientShards.shards, edge: edge, signIn: signIn, on)
        console.start(on)
        let service = OpsService(
            node: node, shards: clientShards.shards, edge: edge, publishingEdge: publishingEdge, console: console)
        // The shard keeps the listener.
        _ = Listener(socket, serving: HTTPEndpoint(service), on: on)
    }

    private func open(_ on: borrowing OnShard) {
        do {
            listen(try Listener.open(node.settings.ops), on)
        } catch {
            guard !error.isAddressTaken else {
                return on.shard.schedule(at: on.now + Self.retryInterval, on) { [self] on in open(on) }
            }
            node.logger.error("the operators' listener (ops) cannot be opened", metadata: ["error": "\(error)"])
        }
    }

    func stop(completion: @escaping @Sendable () -> Void) { shards.stop(completion: completion) }
}
